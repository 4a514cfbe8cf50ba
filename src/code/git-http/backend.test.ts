import { randomBytes } from "node:crypto";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { runGit } from "@/code/git/program.ts";
import { hooksFolder } from "@/code/repositories/hooks.ts";
import { conformance } from "@/testing/conformance.ts";
import { temporaryFolder } from "@/testing/folder.ts";
import { GIT, gitIsHere } from "@/testing/repository.ts";
import { askBackend } from "./backend.ts";
import { FETCH_START_BYTES, readStart } from "./request-start.ts";

const folder = temporaryFolder();
const hooks = temporaryFolder();
const programPath = process.env["PATH"] ?? "";
const PACK_BYTES = 4 * 1024 * 1024;
let head: string;

beforeAll(async () => {
  if (!gitIsHere) return;
  const call = { cwd: folder, path: programPath };
  await runGit(["init", "--quiet", "--bare", "--initial-branch=main", "."], call);
  const commit = "commit refs/heads/main\ncommitter A <a@b> 1700000000 +0000\ndata 1\nx\nM 100644 inline a\n";
  const data = [Buffer.from(`${commit}data ${PACK_BYTES}\n`), randomBytes(PACK_BYTES), Buffer.from("\n")];
  await runGit(["fast-import", "--quiet"], { ...call, input: Buffer.concat(data) });
  head = (await runGit(["rev-parse", "main"], call)).toString("utf8").trim();
});

afterEach(() => {
  vi.useRealTimers();
});

const request = (service: string, body: BodyInit) =>
  new Request(`http://localhost/a/b.git/${service}`, {
    method: "POST",
    headers: { "content-type": `application/x-${service}-request` },
    body,
    duplex: "half",
  } as RequestInit);

const call = (service: string) => ({
  folder,
  service,
  username: "ann",
  programPath,
  hooks: hooksFolder(hooks),
  variables: {},
});

const notStored = () => Promise.resolve(null);
const stalls = () => true;
const changed = () => Promise.resolve();
const pushed = () => Promise.resolve([]);

const wanted = () => `0032want ${head}\n00000009done\n`;

describe("git http-backend", GIT, () => {
  it("is given what was read of a request before, and answers with a pack", async () => {
    const asked = request("git-upload-pack", wanted());
    const ended = vi.fn();
    const answer = await askBackend(
      asked,
      await readStart(asked, FETCH_START_BYTES),
      call("git-upload-pack"),
      {
        ended,
        changed,
        pushed,
        notStored,
        stalls,
      },
    );
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(PACK_BYTES);
    await vi.waitFor(() => expect(ended).toHaveBeenCalledWith(0));
  });

  it(conformance("SC-45", "that cannot be started is an error of the request"), async () => {
    const asked = request("git-upload-pack", wanted());
    const started = await readStart(asked, FETCH_START_BYTES);
    const nowhere = { ...call("git-upload-pack"), programPath: folder };
    const events = { ended: vi.fn(), changed, pushed, notStored, stalls };
    await expect(askBackend(asked, started, nowhere, events)).rejects.toMatchObject({
      name: "BackendNotStarted",
      cause: { code: "ENOENT" },
    });
    expect(events.ended).not.toHaveBeenCalled();
  });

  it("is ended when nobody takes the pack", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const asked = request("git-upload-pack", wanted());
    const ended = vi.fn();
    const answer = await askBackend(
      asked,
      await readStart(asked, FETCH_START_BYTES),
      call("git-upload-pack"),
      {
        ended,
        changed,
        pushed,
        notStored,
        stalls,
      },
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
    // What had moved at the beginning is enough for the first minute.
    vi.advanceTimersByTime(58_000);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(ended).not.toHaveBeenCalled();
    // Bytes that moved late in the first minute, as on a busy machine, count for one minute more.
    const expectEnd = () => {
      vi.advanceTimersByTime(62_000);
      expect(ended).toHaveBeenCalledOnce();
    };
    await vi.waitFor(expectEnd, { timeout: 10_000 });
    await expect(answer.arrayBuffer()).rejects.toThrow();
  });

  it("is ended when a push goes no further", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    let say: (text: string) => void = () => undefined;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        say = (text) => controller.enqueue(Buffer.from(text));
      },
    });
    const asked = request("git-receive-pack", body);
    say("0");
    const ended = vi.fn();
    const answer = await askBackend(asked, await readStart(asked, 1), call("git-receive-pack"), {
      ended,
      changed,
      pushed,
      notStored,
      stalls,
    });
    for (let second = 0; second < 61; second += 1) {
      if (second % 30 === 0) say("0");
      vi.advanceTimersByTime(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce(), { timeout: 10_000 });
    await expect(answer.arrayBuffer()).rejects.toThrow();
  });
});
