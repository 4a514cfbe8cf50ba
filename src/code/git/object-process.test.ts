import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { resetProcessWide } from "@/kernel/process/process-wide.ts";
import { temporaryFolder } from "@/testing/folder.ts";
import { GIT_PROCESSES, objectProcessIds } from "@/testing/object-processes.ts";
import { gitIsHere } from "@/testing/repository.ts";
import {
  endObjectProcesses,
  IDLE_MS,
  OBJECT_PROCESSES_MAX,
  type ObjectRequest,
  readObjects,
  stopObjectProcesses,
} from "./object-process.ts";
import { runGit } from "./program.ts";

const root = temporaryFolder();
const path = process.env["PATH"] ?? "";
const folderOf = (name: string) => join(root, name);
const git = (name: string, args: readonly string[], input = "") =>
  runGit(args, { cwd: folderOf(name), path, input });

async function createRepository(name: string): Promise<void> {
  mkdirSync(folderOf(name));
  await git(name, ["init", "--quiet", "--bare", "."]);
}

const read = (name: string, ids: readonly string[], more: Partial<ObjectRequest> = {}) =>
  readObjects({ repository: { folder: folderOf(name), key: name }, path, ids, ...more });

let [blob, large] = ["", ""];

beforeAll(async () => {
  resetProcessWide();
  if (!gitIsHere) return;
  await createRepository("shop");
  blob = String(await git("shop", ["hash-object", "-w", "--stdin"], "line\nwithout end")).trim();
  large = String(await git("shop", ["hash-object", "-w", "--stdin"], "x".repeat(17 * 1024 * 1024))).trim();
});

afterEach(async () => {
  vi.useRealTimers();
  await endObjectProcesses(folderOf("shop"));
});

describe("readObjects", GIT_PROCESSES, () => {
  it("one Git process returns the contents and sizes of objects, and reports missing objects, in the order of the requested ids", async () => {
    const missing = "0".repeat(40);
    const answer = { id: blob, kind: "blob", sizeBytes: 16, content: Buffer.from("line\nwithout end") };
    expect(await read("shop", [blob, missing, blob])).toEqual([answer, "missing", answer]);
    const [process] = objectProcessIds(folderOf("shop"));
    const info = { ...answer, content: Buffer.alloc(0) };
    expect(await read("shop", [large, blob.slice(0, 12)], { withoutContent: true })).toMatchObject([
      { sizeBytes: 17 * 1024 * 1024 },
      info,
    ]);
    expect(objectProcessIds(folderOf("shop"))).toEqual([process]);
  });

  it("object ids that are not hexadecimal are rejected, so that a request cannot contain other Git commands", async () => {
    await expect(read("shop", [`${blob}\nflush`])).rejects.toThrow("not hexadecimal");
    await expect(read("shop", ["HEAD"])).rejects.toThrow("not hexadecimal");
  });

  it("readObjects repeats a request with a new Git process when the Git process is killed", async () => {
    await read("shop", [blob]);
    const [first = 0] = objectProcessIds(folderOf("shop"));
    const answers = Promise.all([read("shop", [blob]), read("shop", [blob])]);
    process.kill(first, "SIGKILL");
    expect(await answers).toMatchObject([[{ id: blob }], [{ id: blob }]]);
    const [second] = objectProcessIds(folderOf("shop"));
    expect(second).not.toBe(first);
    expect(await read("shop", [blob])).toMatchObject([{ id: blob }]);
  });

  it("readObjects rejects with GitFailed if the second Git process for a request also ends, and with a system error if Git is not installed", async () => {
    const programs = folderOf("programs");
    mkdirSync(programs);
    writeFileSync(join(programs, "git"), "#!/bin/sh\nread -r line\nexit 3\n", { mode: 0o755 });
    const failing = { repository: { folder: folderOf("shop"), key: "failing" }, path: programs };
    await expect(readObjects({ ...failing, ids: [blob] })).rejects.toMatchObject({ name: "GitFailed" });
    const absent = { repository: { folder: folderOf("shop"), key: "absent" }, path: "/nonexistent" };
    await expect(readObjects({ ...absent, ids: [blob] })).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("readObjects rejects with GitLimit for an object that exceeds the size limit, and can then read another object", async () => {
    const [tooLarge, next] = await Promise.allSettled([read("shop", [large]), read("shop", [blob])]);
    expect(tooLarge).toMatchObject({ status: "rejected", reason: { name: "GitLimit", reason: "too_large" } });
    expect(next).toMatchObject({ status: "fulfilled", value: [{ id: blob }] });
  });

  it("when the output for a request exceeds the limit, a later request never returns the rest of this output as objects", async () => {
    const forged = `${"f".repeat(40)} blob 6\nforged\n`;
    const text = forged.repeat(200_000 / forged.length);
    const ids: string[] = [];
    for (let number = 0; number < 100; number += 1)
      ids.push(String(await git("shop", ["hash-object", "-w", "--stdin"], `${number}\n${text}`)).trim());
    for (let round = 0; round < 5; round += 1) {
      const results = await Promise.allSettled([
        read("shop", ids),
        read("shop", [blob]),
        read("shop", [blob]),
      ]);
      expect(results).toMatchObject([
        { status: "rejected", reason: { name: "GitLimit" } },
        { status: "fulfilled", value: [{ id: blob, sizeBytes: 16 }] },
        { status: "fulfilled", value: [{ id: blob, sizeBytes: 16 }] },
      ]);
    }
  });

  it.each([
    ["a line that is no header", "author a <a@example.com> 112 +0000"],
    ["another object", `${"e".repeat(40)} blob 0\n`],
    ["a long line", "x".repeat(100)],
    ["more than the object", `${"0".repeat(40)} missing\nrest`],
  ])("readObjects rejects with GitFailed if the output of Git contains %s", async (_content, output) => {
    const programs = folderOf(`programs-${output.length}`);
    mkdirSync(programs);
    writeFileSync(join(programs, "output"), `${output}\n`);
    const script = `#!/bin/sh\nread -r line\n/bin/cat ${join(programs, "output")}\nexec /bin/sleep 60\n`;
    writeFileSync(join(programs, "git"), script, { mode: 0o755 });
    const wrong = { repository: { folder: folderOf("shop"), key: programs }, path: programs };
    await expect(readObjects({ ...wrong, ids: ["0".repeat(40)] })).rejects.toMatchObject({
      name: "GitFailed",
    });
  });

  it("readObjects rejects with GitLimit when Git takes too long", async () => {
    const programs = folderOf("slow");
    mkdirSync(programs);
    writeFileSync(join(programs, "git"), "#!/bin/sh\nexec /bin/sleep 60\n", { mode: 0o755 });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const slow = { repository: { folder: folderOf("shop"), key: "slow" }, path: programs, ids: [blob] };
    const late = expect(readObjects(slow)).rejects.toMatchObject({ name: "GitLimit", reason: "too_slow" });
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(30_000);
    await late;
  });

  it("a Git process that has not been used for a minute is ended", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await read("shop", [blob]);
    vi.advanceTimersByTime(IDLE_MS - 1);
    await read("shop", [blob]);
    vi.advanceTimersByTime(IDLE_MS - 1);
    expect(objectProcessIds(folderOf("shop"))).toHaveLength(1);
    vi.advanceTimersByTime(1);
    vi.useRealTimers();
    await expect.poll(() => objectProcessIds(folderOf("shop"))).toEqual([]);
  });

  it("the Git processes of the most recently used repositories keep running", async () => {
    const names = Array.from({ length: OBJECT_PROCESSES_MAX + 2 }, (_, index) => `small-${index}`);
    for (const name of names) {
      await createRepository(name);
      expect(await read(name, [blob])).toEqual(["missing"]);
      if (name !== names[0]) await read("small-0", [blob]);
    }
    const running = () => names.filter((name) => objectProcessIds(folderOf(`${name}`)).length > 0);
    await expect.poll(running).toEqual(["small-0", ...names.slice(3)]);
  });

  it("stopObjectProcesses waits for running requests, and then ends all Git processes", async () => {
    const answer = read("shop", [blob]);
    await stopObjectProcesses();
    expect(await answer).toMatchObject([{ id: blob }]);
    expect(objectProcessIds(root)).toEqual([]);
    expect(await read("shop", [blob])).toMatchObject([{ id: blob }]);
    await expect.poll(() => objectProcessIds(root)).toEqual([]);
  });
});
