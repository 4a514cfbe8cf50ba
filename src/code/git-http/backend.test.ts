import { randomBytes } from "node:crypto";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { runGit } from "@/code/git/program.ts";
import { hooksFolder } from "@/code/repositories/hooks.ts";
import { conformance } from "@/testing/conformance.ts";
import { temporaryFolder } from "@/testing/folder.ts";
import { GIT, gitIsHere } from "@/testing/repository.ts";
import { runBackend } from "./backend.ts";
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
  query: "",
  username: "ann",
  programPath,
  hooks: hooksFolder(hooks),
  variables: {},
});

const notStored = () => Promise.resolve(null);
const stalls = () => true;
const changed = () => Promise.resolve();
const pushed = () => Promise.resolve([]);
const refusal = () => Promise.resolve(null);

const wantHead = () => `0032want ${head}\n00000009done\n`;

describe("runBackend", GIT, () => {
  it("runBackend passes the beginning of the request body to Git, and returns a response with the pack that Git sends", async () => {
    const gitRequest = request("git-upload-pack", wantHead());
    const ended = vi.fn();
    const response = await runBackend(
      gitRequest,
      await readStart(gitRequest, FETCH_START_BYTES),
      call("git-upload-pack"),
      {
        ended,
        changed,
        pushed,
        notStored,
        stalls,
        refusal,
      },
    );
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(PACK_BYTES);
    await expect.poll(() => ended.mock.calls).toEqual([[0]]);
  });

  it(
    conformance("SC-45", "runBackend rejects with BackendNotStarted when Git cannot be started"),
    async () => {
      const gitRequest = request("git-upload-pack", wantHead());
      const started = await readStart(gitRequest, FETCH_START_BYTES);
      const nowhere = { ...call("git-upload-pack"), programPath: folder };
      const events = { ended: vi.fn(), changed, pushed, notStored, stalls, refusal };
      await expect(runBackend(gitRequest, started, nowhere, events)).rejects.toMatchObject({
        name: "BackendNotStarted",
        cause: { code: "ENOENT" },
      });
      expect(events.ended).not.toHaveBeenCalled();
    },
  );

  it("the server stops Git when the client does not read the pack", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const gitRequest = request("git-upload-pack", wantHead());
    const ended = vi.fn();
    const response = await runBackend(
      gitRequest,
      await readStart(gitRequest, FETCH_START_BYTES),
      call("git-upload-pack"),
      {
        ended,
        changed,
        pushed,
        notStored,
        stalls,
        refusal,
      },
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
    // In the first 58 seconds, the client has read enough bytes to pass the speed check at the end of the
    // first minute.
    vi.advanceTimersByTime(58_000);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(ended).not.toHaveBeenCalled();
    // On a busy machine, bytes that the client reads late in the first minute count for the speed check of
    // the second minute.
    const expectEnd = () => {
      vi.advanceTimersByTime(62_000);
      expect(ended).toHaveBeenCalledOnce();
    };
    await vi.waitFor(expectEnd, { timeout: 60_000 });
    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  it("the server stops Git when a push stalls", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    let send: (text: string) => void = () => undefined;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        send = (text) => controller.enqueue(Buffer.from(text));
      },
    });
    const gitRequest = request("git-receive-pack", body);
    send("0");
    const ended = vi.fn();
    const response = await runBackend(gitRequest, await readStart(gitRequest, 1), call("git-receive-pack"), {
      ended,
      changed,
      pushed,
      notStored,
      stalls,
      refusal,
    });
    for (let second = 0; second < 61; second += 1) {
      if (second % 30 === 0) send("0");
      vi.advanceTimersByTime(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await expect.poll(() => ended.mock.calls.length).toBe(1);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  it("the server stops Git when the request body of a push is shorter than the value of Content-Length", async () => {
    const gitRequest = request("git-receive-pack", "0094");
    gitRequest.headers.set("content-length", "352");
    const ended = vi.fn();
    const events = { ended, changed, pushed, notStored, stalls, refusal };
    const backend = runBackend(gitRequest, await readStart(gitRequest, 1), call("git-receive-pack"), events);
    await backend.then((response) => response.arrayBuffer()).catch(() => undefined);
    await expect.poll(() => ended.mock.calls.length).toBe(1);
  });
});
