import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "@/testing/folder.ts";
import { GIT, gitIsHere } from "@/testing/repository.ts";
import { runGit } from "./program.ts";
import { isReferenceName, listReferences, readHead, readReference } from "./reference-files.ts";

const folder = temporaryFolder();
const path = process.env["PATH"] ?? "";
const git = async (...args: readonly string[]) =>
  (await runGit(args, { cwd: folder, path })).toString("utf8").trim();
let [first, second, tag] = ["", "", ""];

/** Returns the references below a folder as `git for-each-ref` lists them. */
async function listedByGit(prefix: string): Promise<readonly (readonly string[])[]> {
  const out = await git("for-each-ref", "--format=%(refname) %(objectname)", prefix);
  return out.split("\n").map((line) => line.slice(prefix.length).split(" "));
}

async function expectSame(): Promise<void> {
  for (const prefix of ["refs/heads/", "refs/tags/"])
    expect([...(listReferences(folder, prefix) ?? [])]).toEqual(await listedByGit(prefix));
}

beforeAll(async () => {
  if (!gitIsHere) return;
  await git("init", "--quiet", "--bare", "--initial-branch=main", ".");
  const signed = "committer Ann <ann@example.com> 1795000000 +0000\ndata 1\nx\n";
  const input = `commit refs/heads/main\n${signed}commit refs/heads/main\n${signed}`;
  await runGit(["fast-import", "--quiet", "--date-format=raw"], { cwd: folder, path, input });
  second = await git("rev-parse", "main");
  first = await git("rev-parse", "main~1");
  const identity = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"];
  await git(...identity, "tag", "-a", "-m", "One", "v1", first);
  tag = await git("rev-parse", "refs/tags/v1");
  for (const name of ["a/b/c", "a/b.c", "a-b", "Z", "éa"])
    await git("update-ref", `refs/heads/${name}`, first);
});

describe("listReferences", GIT, () => {
  it("listReferences returns the same references as Git, before and after the references are packed", async () => {
    await expectSame();
    await git("pack-refs", "--all");
    await expectSame();
    await git("update-ref", "refs/heads/a/b/c", second);
    await git("update-ref", "-d", "refs/heads/a-b");
    await git("update-ref", "refs/heads/0", second);
    await expectSame();
    expect(listReferences(folder, "refs/heads/")?.get("a/b/c")).toBe(second);
    expect(listReferences(folder, "refs/tags/")).toEqual(new Map([["v1", tag]]));
  });

  it("listReferences follows symbolic references, and ignores lock files, malformed files and malformed lines of packed-refs", async () => {
    await git("symbolic-ref", "refs/heads/alias", "refs/heads/a/b/c");
    await git("symbolic-ref", "refs/heads/nowhere", "refs/heads/missing");
    writeFileSync(join(folder, "refs/heads/half"), "12");
    writeFileSync(join(folder, "refs/heads/next.lock"), first);
    mkdirSync(join(folder, "refs/heads/empty/folder"), { recursive: true });
    const names = [...(listReferences(folder, "refs/heads/")?.keys() ?? [])];
    expect(names).toEqual(["0", "Z", "a/b.c", "a/b/c", "alias", "main", "éa"]);
    expect(readReference(folder, "refs/heads/alias")).toBe(second);
    expect(listReferences(join(folder, "absent"), "refs/heads/")).toEqual(new Map());
  });
});

describe("readReference", GIT, () => {
  it("readReference returns the object id for the full name of a reference, and null for any other name", async () => {
    expect(readReference(folder, "HEAD")).toBe(second);
    expect(readReference(folder, "refs/heads/éa")).toBe(first);
    const names = ["main", "refs/heads/a", "refs/heads/a/b/c/d", "refs/heads/mai", "config", "../HEAD"];
    const hostile = ["refs/heads/../../HEAD", "refs/heads/./main", "refs/heads//main", "refs/heads/main/"];
    const long = `refs/heads/${"x".repeat(300)}`;
    for (const name of [...names, ...hostile, long, "refs/heads/next.lock", "refs/heads/main\n"])
      expect([name, readReference(folder, name)]).toEqual([name, null]);
  });

  it("readReference returns null for a symbolic reference that is part of a cycle", async () => {
    writeFileSync(join(folder, "refs/heads/one"), "ref: refs/heads/two\n");
    writeFileSync(join(folder, "refs/heads/two"), "ref: refs/heads/one\n");
    expect(readReference(folder, "refs/heads/one")).toBeNull();
  });

  it("readReference and listReferences find every branch while Git packs references concurrently", async () => {
    let isDone = false;
    const changes = (async () => {
      for (let round = 0; round < 15; round += 1) {
        await git("update-ref", "refs/heads/main", round % 2 === 0 ? first : second);
        await git("pack-refs", "--all", "--prune");
      }
      isDone = true;
    })();
    while (!isDone) {
      expect([first, second]).toContain(readReference(folder, "refs/heads/main"));
      expect([first, second]).toContain(listReferences(folder, "refs/heads/")?.get("main"));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await changes;
  });
});

describe("readHead", () => {
  it(
    "readHead returns the branch to which HEAD points, even if the branch has no commit yet, and null if HEAD contains an object id",
    GIT,
    async () => {
      await git("symbolic-ref", "HEAD", "refs/heads/unborn");
      expect([readHead(folder), readReference(folder, "HEAD")]).toEqual(["refs/heads/unborn", null]);
      writeFileSync(join(folder, "HEAD"), `${first}\n`);
      expect([readHead(folder), readReference(folder, "HEAD")]).toEqual([null, first]);
    },
  );
});

describe("isReferenceName", () => {
  it("isReferenceName accepts exactly the names that git check-ref-format accepts", GIT, async () => {
    const parts = ["a", "a.b", "@", "-a", "a@b", ".a", "a.", "a..b", "a.lock", "a b", "a~", "a^", "a:", "a?"];
    for (const part of [
      ...parts,
      "a*",
      "a[",
      "a\\",
      "a@{b",
      "",
      "/a",
      "a/",
      "a//b",
      "a/.b",
      "a.lock/b",
      "é",
    ]) {
      const name = `refs/heads/${part}`;
      const isValid = await git("check-ref-format", name).then(
        () => true,
        () => false,
      );
      expect([name, isReferenceName(name)]).toEqual([name, isValid]);
    }
  });
});
