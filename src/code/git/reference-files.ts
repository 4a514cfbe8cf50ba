import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** The maximum length of a chain of symbolic references, as in Git. */
const SYMBOLIC_MAX = 5;

/** Returns whether a text is a valid reference name below `refs/` by the rules of `git check-ref-format`. */
export const isReferenceName = (name: string): boolean =>
  name.startsWith("refs/") && !/[\s\p{Cc}~^:?*[\\]|\.\.|@\{|\/\/|\.lock(?:\/|$)|\/\.|[./]$/u.test(name);

/**
 * Returns the object id to which a reference points; null if the reference does not exist. The function reads the files
 * in which Git stores references, because a Git process would take hundreds of times as long.
 * @param name `HEAD`, or a full name such as `refs/heads/main`.
 */
export function readReference(folder: string, name: string): string | null {
  let current = name;
  for (let links = 0; links <= SYMBOLIC_MAX; links += 1) {
    if (current !== "HEAD" && !isReferenceName(current)) return null;
    // The separate file of a reference is read before `packed-refs`, because Git writes a packed reference to
    // `packed-refs` before it deletes the separate file.
    const content = readOrNull(join(folder, current));
    if (content === null) return findPacked(folder, current);
    const target = targetOf(content);
    if (target === null || target.id !== undefined) return target?.id ?? null;
    current = target.name;
  }
  return null;
}

/**
 * Returns the name of the reference to which HEAD points, even if this reference does not exist. Returns null
 * if HEAD contains an object id, or the repository does not exist.
 */
export function readHead(folder: string): string | null {
  const content = readOrNull(join(folder, "HEAD"));
  return (content !== null && targetOf(content)?.name) || null;
}

/**
 * The limits of `listReferences`, which blocks the event loop: the number of references in separate files, and the size
 * of the file `packed-refs`.
 */
export const LOOSE_MAX = 1_000;
const PACKED_BYTES_MAX = 256 * 1024;

/**
 * Returns the object ids of all references whose names begin with the prefix. The keys are the names without
 * the prefix, in alphabetical order.
 * @param prefix the beginning of the names, such as `refs/heads/`.
 * @returns null if the repository has so many references that reading them would block the server process for
 * too long.
 */
export function listReferences(folder: string, prefix: string): ReadonlyMap<string, string> | null {
  if ((statSync(join(folder, "packed-refs"), { throwIfNoEntry: false })?.size ?? 0) > PACKED_BYTES_MAX)
    return null;
  const loose = new Map<string, string | null>();
  if (!addLoose(loose, folder, prefix)) return null;
  const ids = new Map<string, string | null>([...packedBelow(folder, prefix), ...loose]);
  const sorted = [...ids].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return new Map(sorted.flatMap(([name, id]) => (id === null ? [] : [[name.slice(prefix.length), id]])));
}

/**
 * Adds the references that are stored in separate files. For a malformed reference file, which Git ignores,
 * the value is null.
 * @returns false if the repository has too many references in separate files.
 */
function addLoose(loose: Map<string, string | null>, folder: string, prefix: string): boolean {
  for (const entry of entriesOf(join(folder, prefix))) {
    if (loose.size >= LOOSE_MAX) return false;
    const name = `${prefix}${entry.name}`;
    if (entry.isDirectory()) {
      if (!addLoose(loose, folder, `${name}/`)) return false;
    } else if (isReferenceName(name)) addLooseFile(loose, folder, name);
  }
  return true;
}

function addLooseFile(loose: Map<string, string | null>, folder: string, name: string): void {
  const content = unlessMissing(() => readFileSync(join(folder, name)));
  // If the file no longer exists, Git has packed or deleted the reference since the folder was listed.
  if (content === null) return;
  const target = targetOf(content);
  loose.set(name, target?.name === undefined ? (target?.id ?? null) : readReference(folder, target.name));
}

/** The content of a reference file: an object id, or the name of another reference. */
type Target = Readonly<{ id: string; name?: never } | { name: string; id?: never }>;

function targetOf(content: Buffer): Target | null {
  const text = content.toString("utf8");
  const [, name] = /^ref:\s*(\S+)/.exec(text) ?? [];
  if (name !== undefined) return { name };
  const [id] = /^[0-9a-f]{40}(?=\s|$)/.exec(text) ?? [];
  return id === undefined ? null : { id };
}

const ID_BYTES = 40;
const LINE_FEED = 10;

/**
 * Returns the content of `packed-refs`. `packed-refs` has a line `ID NAME` for each reference. The line of an
 * annotated tag is followed by a line `^ID` with the id of the tagged object.
 */
const readPacked = (folder: string): Buffer => readOrNull(join(folder, "packed-refs")) ?? Buffer.alloc(0);

function findPacked(folder: string, name: string): string | null {
  const content = readPacked(folder);
  const at = content.indexOf(` ${name}\n`);
  return at < ID_BYTES ? null : content.toString("latin1", at - ID_BYTES, at);
}

function packedBelow(folder: string, prefix: string): readonly (readonly [name: string, id: string])[] {
  const content = readPacked(folder);
  const references: (readonly [string, string])[] = [];
  for (let at = content.indexOf(` ${prefix}`); at >= ID_BYTES; ) {
    const end = content.indexOf(LINE_FEED, at);
    const name = content.toString("utf8", at + 1, end === -1 ? undefined : end);
    references.push([name, content.toString("latin1", at - ID_BYTES, at)]);
    at = end === -1 ? -1 : content.indexOf(` ${prefix}`, end);
  }
  return references;
}

/**
 * Returns the content of a file; null if the file does not exist. `statSync` is called first, because most of
 * the requested files do not exist and an exception would be slow.
 */
const readOrNull = (path: string): Buffer | null =>
  unlessMissing(() => (statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path) : null));

const entriesOf = (path: string): readonly Dirent[] =>
  unlessMissing(() => readdirSync(path, { withFileTypes: true })) ?? [];

/** The system error codes for a path that does not exist, is too long, or is the path of a folder. */
const MISSING: readonly unknown[] = ["ENOENT", "ENOTDIR", "EISDIR", "ENAMETOOLONG"];

function unlessMissing<Result>(read: () => Result): Result | null {
  try {
    return read();
  } catch (cause) {
    if (MISSING.includes((cause as NodeJS.ErrnoException).code)) return null;
    throw cause;
  }
}
