/** The author, the committer or the tagger in the header of a commit or an annotated tag. */
export type Signature = Readonly<{ name: string; email: string; at: Date }>;

export type Commit = Readonly<{
  /** The commit id: 40 hexadecimal digits. */
  hash: string;
  parents: readonly string[];
  author: Signature;
  committer: Signature;
  message: string;
}>;

const EARLIEST_MS = Date.parse("0001-01-01T00:00:00Z");
const LATEST_MS = Date.parse("9999-12-31T23:59:59Z");

/**
 * Converts a Unix time to a date. The date is limited to the years 1 to 9999, because the time in a commit
 * can be any number.
 */
const momentOf = (seconds: string): Date =>
  new Date(Math.min(Math.max(Number(seconds) * 1_000, EARLIEST_MS), LATEST_MS));

/**
 * Parses a commit. If the author or committer line is malformed, the name and the e-mail address are empty
 * and the time is 0, as in the output of `git log`.
 * @param content the commit object, encoded in UTF-8 or in the encoding that the commit header names.
 */
export function parseCommit(hash: string, content: Buffer): Commit {
  const { header, message } = partsOf(content);
  return {
    hash,
    parents: parentsIn(header),
    author: signatureIn(header, "author"),
    committer: signatureIn(header, "committer"),
    message,
  };
}

/**
 * The pattern of the beginning of a commit header. Git ignores `parent` lines that follow other header lines.
 */
const TREE_AND_PARENTS = /^tree [0-9a-f]{40}((?:\nparent [0-9a-f]{40})*)(?:\n|$)/;

function parentsIn(header: string): readonly string[] {
  const [, lines = ""] = TREE_AND_PARENTS.exec(header) ?? [];
  return [...lines.matchAll(/[0-9a-f]{40}/g)].map(([id]) => id);
}

/** Returns the id of the tree of a commit. */
export const treeOf = (content: Buffer): string => content.toString("latin1", "tree ".length, 45);

export type ParsedTag = Readonly<{
  /** The id of the object to which the tag points. A tag can point to another tag. */
  target: string;
  taggedAt: Date;
  /** The first paragraph of the tag message, as a single line. */
  subject: string;
}>;

/** Parses an annotated tag. */
export function parseTag(content: Buffer): ParsedTag {
  const { header, message } = partsOf(content);
  const [, target = ""] = /^object ([0-9a-f]{40})$/m.exec(header) ?? [];
  return { target, taggedAt: signatureIn(header, "tagger").at, subject: subjectOf(message) };
}

/** The pattern of the first line of a cryptographic signature in the message of a tag. */
const SIGNATURE = /^-----BEGIN (?:PGP SIGNATURE|PGP MESSAGE|SIGNED MESSAGE|SSH SIGNATURE)-----/gm;

function subjectOf(message: string): string {
  const signatureAt = [...message.matchAll(SIGNATURE)].at(-1)?.index ?? message.length;
  const [paragraph = ""] = message
    .slice(0, signatureAt)
    .replace(/^\n+/, "")
    .split(/\n\n|\r\n\r\n/, 1);
  return paragraph.replace(/[\r\n]+$/, "").replaceAll(/\r?\n/g, " ");
}

type Parts = Readonly<{ header: string; message: string }>;

/**
 * Decodes a commit or a tag, and splits the text into header and message. If the encoding is not UTF-8, the
 * header names the encoding.
 */
function partsOf(content: Buffer): Parts {
  const parts = partsIn(content.toString("utf8"));
  const [, encoding] = /^encoding (.+)$/m.exec(parts.header) ?? [];
  if (encoding === undefined) return parts;
  try {
    return partsIn(new TextDecoder(encoding).decode(content));
  } catch {
    return parts;
  }
}

/**
 * Splits the text of a commit or a tag into the header and the message. As in Git, the message ends at the
 * first U+0000.
 */
function partsIn(text: string): Parts {
  const end = text.indexOf("\n\n");
  if (end === -1) return { header: text, message: "" };
  const [message = ""] = text.slice(end + 2).split("\0", 1);
  return { header: text.slice(0, end), message };
}

/**
 * Parses the header line `FIELD NAME <EMAIL> SECONDS ZONE`. NAME can be empty, and the header line can
 * contain additional `>` characters.
 */
function signatureIn(header: string, field: string): Signature {
  const at = header.indexOf(`\n${field} `);
  if (at === -1) return { name: "", email: "", at: new Date(0) };
  const start = at + field.length + 2;
  const end = header.indexOf("\n", start);
  const line = header.slice(start, end === -1 ? undefined : end);
  const [, name = "", email = ""] = /^([^<]*)<([^>]*)>/.exec(line) ?? [];
  const date = line.slice(line.lastIndexOf(">") + 1);
  const [, seconds = "0"] = /^[ \t\r]*(\d+)[ \t\r]*[+-]\d/.exec(date) ?? [];
  return { name: name.replace(/[ \t\r]+$/, ""), email, at: momentOf(seconds) };
}

/** An entry of a tree. */
export type ParsedEntry = Readonly<{
  mode: string;
  kind: "tree" | "blob" | "commit";
  hash: string;
  name: string;
}>;

const ID_BYTES = 20;

/**
 * The offsets of an entry in the content of a tree: of the mode, of the name, of the U+0000 after the name,
 * and of the end of the entry.
 */
type Offsets = Readonly<{ mode: number; name: number; nameEnd: number; end: number }>;

/** Iterates over the entries of a tree. Each entry consists of `MODE NAME`, U+0000 and the 20 bytes of an object id. */
function* offsetsIn(content: Buffer): Generator<Offsets> {
  for (let mode = 0; mode < content.byteLength; ) {
    const nameEnd = content.indexOf(0, mode);
    const name = content.indexOf(SPACE, mode) + 1;
    const end = nameEnd + 1 + ID_BYTES;
    if (nameEnd === -1 || name === 0 || name > nameEnd || end > content.byteLength) return;
    yield { mode, name, nameEnd, end };
    mode = end;
  }
}

const SPACE = 32;

const entryFrom = (content: Buffer, { mode, name, nameEnd, end }: Offsets): ParsedEntry => ({
  ...modeOf(Number.parseInt(content.toString("latin1", mode, name - 1), 8)),
  hash: content.toString("hex", nameEnd + 1, end),
  name: content.toString("utf8", name, nameEnd),
});

/** Parses a tree. */
export const parseTree = (content: Buffer): readonly ParsedEntry[] =>
  Array.from(offsetsIn(content), (offsets) => entryFrom(content, offsets));

/**
 * Returns the entry of a tree with this name, or null. Only this entry is decoded, because a tree can have
 * hundreds of thousands of entries.
 */
export function findEntry(content: Buffer, name: string): ParsedEntry | null {
  const wanted = Buffer.from(name, "utf8");
  for (const offsets of offsetsIn(content))
    if (
      offsets.nameEnd - offsets.name === wanted.byteLength &&
      wanted.equals(content.subarray(offsets.name, offsets.nameEnd))
    )
      return entryFrom(content, offsets);
  return null;
}

const TYPE_BITS = 0o170000;
const OWNER_MAY_EXECUTE = 0o100;

/**
 * Returns the file mode of a tree entry as Git prints the mode. Permission bits that only old versions of Git
 * stored are removed.
 */
function modeOf(mode: number): Pick<ParsedEntry, "mode" | "kind"> {
  const type = mode & TYPE_BITS;
  if (type === 0o040000) return { mode: "040000", kind: "tree" };
  if (type === 0o120000) return { mode: "120000", kind: "blob" };
  if (type !== 0o100000) return { mode: "160000", kind: "commit" };
  return { mode: (mode & OWNER_MAY_EXECUTE) === 0 ? "100644" : "100755", kind: "blob" };
}
