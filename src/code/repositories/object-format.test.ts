import { beforeAll, describe, expect, it } from "vitest";
import { runGit } from "@/code/git/program.ts";
import { temporaryFolder } from "@/testing/folder.ts";
import { GIT, gitIsHere } from "@/testing/repository.ts";
import { findEntry, parseCommit, parseTag, parseTree, treeOf } from "./object-format.ts";

const folder = temporaryFolder();
const path = process.env["PATH"] ?? "";
const git = (args: readonly string[], input: string | Uint8Array = "") =>
  runGit(args, { cwd: folder, path, input });
const text = async (args: readonly string[], input: string | Uint8Array = "") =>
  (await git(args, input)).toString("utf8").trim();

let tree: string;

/** Writes a Git object without the checks of Git. @returns the id and the content of the object. */
async function write(kind: string, content: string | Uint8Array) {
  const id = await text(["hash-object", "--literally", "-t", kind, "-w", "--stdin"], content);
  return { id, content: await git(["cat-file", kind, id]) };
}

beforeAll(async () => {
  if (!gitIsHere) return;
  await git(["init", "--quiet", "--bare", "."]);
  const blob = await text(["hash-object", "-w", "--stdin"], "x");
  const names = ["a", "b c", "é", "\t"].map((name) => `100644 blob ${blob}\t${name}\0`);
  const others = [
    `100755 blob ${blob}\trun\0`,
    `120000 blob ${blob}\tlink\0`,
    `160000 commit ${"1".repeat(40)}\tmodule\0`,
  ];
  const inner = await text(["mktree", "-z"], names.join(""));
  tree = await text(["mktree", "-z", "--missing"], [...others, `040000 tree ${inner}\tinner\0`].join(""));
});

const FIELDS = ["%H", "%P", "%an", "%ae", "%at", "%cn", "%ce", "%ct", "%B"].join("%x00");

/** Returns a commit as `git log` shows it. */
async function shownByGit(id: string) {
  const args = ["log", "-1", "-z", `--format=${FIELDS}`, "--encoding=UTF-8", id];
  const fields = (await git(args)).toString("utf8").split("\0");
  const [hash, parents = "", an, ae, aAt, cn, ce, cAt, message] = fields;
  return {
    hash,
    parents: parents.split(" ").filter(Boolean),
    author: { name: an, email: ae, at: new Date(Number(aAt) * 1_000) },
    committer: { name: cn, email: ce, at: new Date(Number(cAt) * 1_000) },
    message,
  };
}

const ANN = "Ann <ann@example.com> 1795000000 +0000";

describe("parseCommit", GIT, () => {
  it.each([
    ["a commit", ANN, ANN, "Title\n\nText\n"],
    ["names with spaces and characters of other alphabets", "Änn  Ö.  <a@b> 1 +0100", ANN, "日本\n"],
    ["an empty name and an empty e-mail address", "<> 0 +0000", " <x> 5 -0230", ""],
    ["signatures with several brackets", "A <b<c> d> 12 +0000", "A > B <c@d>> 13 +0000", "x"],
    ["signatures without a time or a time zone", "Ann <ann@example.com>", "Ann <a> 17", "x\n"],
    ["signatures without an e-mail address", "Ann 1795000000 +0000", "Ann <ann", "x\n"],
    ["a negative time and text after the time zone", "A <a> -5 +0000", "A <a> 7 +00 x", "x\n"],
    ["a message that begins with line feeds", ANN, ANN, "\n\n  Title\r\n"],
    ["a message with U+0000", ANN, ANN, "before\0after"],
  ])("parseCommit returns the same fields as git log for %s", async (_title, author, committer, message) => {
    const parents = `parent ${"2".repeat(40)}\nparent ${"3".repeat(40)}\n`;
    const header = `tree ${tree}\n${parents}author ${author}\ncommitter ${committer}\n`;
    const signed = "gpgsig -----BEGIN PGP SIGNATURE-----\n author Eve <eve@example.com> 1 +0000\n \n end\n";
    for (const more of ["", signed]) {
      const { id, content } = await write("commit", `${header}${more}\n${message}`);
      const commit = parseCommit(id, content);
      expect(commit.parents).toEqual(["2".repeat(40), "3".repeat(40)]);
      // `git log` does not show a commit whose parents are missing.
      const alone = await write("commit", `${header.replace(parents, "")}${more}\n${message}`);
      expect(parseCommit(alone.id, alone.content)).toEqual(await shownByGit(alone.id));
      expect(treeOf(content)).toBe(tree);
    }
  });

  it.each(["ISO-8859-1", "windows-1251", "EUC-JP", "none"])(
    "parseCommit returns the same text as git log for a commit in the encoding %s",
    async (encoding) => {
      const header = `tree ${tree}\nauthor ${ANN}\ncommitter ${ANN}\nencoding ${encoding}\n\n`;
      const message = encoding === "EUC-JP" ? [0xc6, 0xfc, 0xcb, 0xdc] : [0x47, 0xe4, 0xdf, 0x65];
      const { id, content } = await write(
        "commit",
        Buffer.concat([Buffer.from(header), Buffer.from(message)]),
      );
      expect(parseCommit(id, content)).toEqual(await shownByGit(id));
    },
  );

  it("parseCommit returns the end of the year 9999 for a time after the year 9999", () => {
    const content = Buffer.from(`tree ${"0".repeat(40)}\nauthor A <a> 999999999999 +0000\n\nx`);
    expect(parseCommit("", content).author.at.toISOString()).toBe("9999-12-31T23:59:59.000Z");
  });
});

describe("parseTag", GIT, () => {
  const signature = "-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n";
  it.each([
    ["One\n"],
    ["\n\nOne\ntwo\r\nthree\n\nMore\n"],
    [`Signed\n${signature}`],
    [`Signed\n\nText\n${signature}`],
    [signature],
    ["One\r\n\r\nTwo\r\n"],
    [""],
  ])(
    "parseTag returns the same subject, target and time as git for-each-ref for the message %j",
    async (message) => {
      const { id } = await write("commit", `tree ${tree}\nauthor ${ANN}\ncommitter ${ANN}\n\nx`);
      const header = `object ${id}\ntype commit\ntag v1\ntagger Ann <ann@example.com> 1795000007 +0200\n`;
      const tag = await write("tag", `${header}\n${message}`);
      await git(["update-ref", "refs/tags/v1", tag.id]);
      const format = "--format=%(contents:subject)%00%(object)%00%(taggerdate:unix)";
      const [subject, target, seconds] = (await git(["for-each-ref", format, "refs/tags/v1"]))
        .toString("utf8")
        .replace(/\n$/, "")
        .split("\0");
      const taggedAt = new Date(Number(seconds) * 1_000);
      expect(parseTag(tag.content)).toEqual({ subject, target, taggedAt });
    },
  );
});

describe("parseCommit with a malformed header", () => {
  it("parseCommit ignores parent lines after the committer line, as Git does", GIT, async () => {
    const parent = await write("commit", `tree ${tree}\nauthor ${ANN}\ncommitter ${ANN}\n\nx`);
    const header = `tree ${tree}\nparent ${parent.id}\nauthor ${ANN}\ncommitter ${ANN}`;
    const { id, content } = await write("commit", `${header}\nparent ${"1".repeat(40)}\n\nx`);
    expect(await text(["log", "-1", "--no-walk", "--format=%P", id])).toBe(parent.id);
    expect(parseCommit(id, content).parents).toEqual([parent.id]);
  });
});

describe("parseTree", GIT, () => {
  it("parseTree returns the same entries as git ls-tree", async () => {
    const ids = [tree, await text(["rev-parse", `${tree}:inner`])];
    const bytes = (mode: string, name: string) => [Buffer.from(`${mode} ${name}\0`), Buffer.alloc(20, 7)];
    const old = Buffer.concat(
      ["100664 a", "100775 b", "40000 c"].flatMap((part) => {
        const [mode = "", name = ""] = part.split(" ");
        return bytes(mode, name);
      }),
    );
    ids.push((await write("tree", old)).id);
    for (const id of ids) {
      const out = (await git(["ls-tree", "-z", id])).toString("utf8").split("\0").filter(Boolean);
      const listed = out.map((line) => {
        const [, mode, kind, hash, name] = /^(\d+) (\w+) (\w+)\t([\s\S]+)$/.exec(line) ?? [];
        return { mode, kind, hash, name };
      });
      expect(parseTree(await git(["cat-file", "tree", id]))).toEqual(listed);
    }
  });

  it("findEntry returns the same entry for each name as parseTree", () => {
    const names = ["a 40000 b", "ab", "b", "bb", "\u00e9"];
    const content = Buffer.concat(
      names.flatMap((name, index) => [Buffer.from(`100644 ${name}\0`), Buffer.alloc(20, index + 1)]),
    );
    for (const name of names)
      expect(findEntry(content, name)).toEqual(parseTree(content).find((entry) => entry.name === name));
    for (const name of ["", "a", "40000 b", "100644 b", "c"]) expect(findEntry(content, name)).toBeNull();
  });

  it("parseTree omits an incomplete entry at the end of a tree", () => {
    expect(parseTree(Buffer.from("100644 a\0short"))).toEqual([]);
    expect(parseTree(Buffer.from("100644"))).toEqual([]);
  });
});
