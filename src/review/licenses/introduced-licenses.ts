import { GitLimit } from "@/code/git/program";
import { type CodeOf, gitIn } from "@/code/repositories/revision";
import type { Deps } from "@/kernel/deps/deps";
import { LOCK_FILES, licensesIn } from "./lock-file";
import { type IntroducedLicenses, LICENSES_MAX, licensesIntroducedBy, type StatedLicense } from "./rules";

/**
 * A changed dependency lock file. `before` and `after` are the ids of the Git objects with the old and the
 * new content; an id is null if the lock file does not exist or is not a regular file.
 */
type Changed = Readonly<{ path: string; before: string | null; after: string | null; present: boolean }>;

/**
 * The limits on the dependency lock files (such as `package-lock.json`) that are compared. Lock files that
 * exceed a limit count as unreadable.
 */
const FILES_MAX = 50;
const BYTES_MAX = 8 * 1024 * 1024;

/**
 * Returns the licenses that the changed lock files between two commits introduce. A license counts as
 * introduced if a package has the license at the commit `to` but not at the commit `from`. The function runs
 * two Git commands, or only one command if no lock file differs.
 * @throws GitLimit if Git exceeds a limit; GitBusy.
 */
export async function introducedLicenses(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  { from, to }: Readonly<{ from: string; to: string }>,
): Promise<IntroducedLicenses> {
  const changed = await changedLockFiles(deps, project, { from, to });
  const paths = changed.filter(({ present }) => present).map(({ path }) => path);
  const allUnreadable: IntroducedLicenses = { licenses: [], unreadable: paths.slice(0, FILES_MAX) };
  if (paths.length === 0) return { licenses: [], unreadable: [] };
  if (changed.length > FILES_MAX) return allUnreadable;
  const blobs = await blobsOf(deps, project, changed);
  if (blobs === null) return allUnreadable;
  const side = (name: "before" | "after") =>
    changed.map((file) => ({ file, licenses: licensesAt(file, file[name], blobs) }));
  const all = (files: ReturnType<typeof side>): readonly StatedLicense[] =>
    files.flatMap(({ licenses }) => licenses ?? []);
  const after = side("after");
  const unreadable = after.filter(({ file, licenses }) => file.present && licenses === null);
  const licenses = licensesIntroducedBy(all(side("before")), all(after));
  if (licenses.length > LICENSES_MAX) return allUnreadable;
  return { licenses, unreadable: unreadable.map(({ file }) => file.path) };
}

function licensesAt(
  { path }: Changed,
  hash: string | null,
  blobs: ReadonlyMap<string, string>,
): readonly StatedLicense[] | null {
  const text = hash === null ? undefined : blobs.get(hash);
  return text === undefined ? null : licensesIn(path, text);
}

/** Patterns that match dependency lock files in any folder. */
const PATTERNS = LOCK_FILES.map((name) => `:(glob)**/${name}`);

async function changedLockFiles(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  { from, to }: Readonly<{ from: string; to: string }>,
): Promise<readonly Changed[]> {
  const args = [
    "diff-tree",
    "-r",
    "--raw",
    "-z",
    "--no-renames",
    "--full-index",
    from,
    to,
    "--",
    ...PATTERNS,
  ];
  const out = await gitIn(deps, project, args, { variables: { GIT_LITERAL_PATHSPECS: "0" } });
  const parts = out.toString("utf8").split("\0");
  const files: Changed[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const line = /^:(\d{6}) (\d{6}) ([0-9a-f]{40}) ([0-9a-f]{40}) /.exec(parts[at] ?? "");
    const [, oldMode = "", newMode = "", before = "", after = ""] = line ?? [];
    const path = parts[at + 1] ?? "";
    const present = newMode !== ABSENT;
    files.push({ path, before: readable(oldMode, before), after: readable(newMode, after), present });
  }
  return files;
}

const ABSENT = "000000";

/** Returns the id of the Git object of a regular file; null for a symbolic link or a submodule. */
const readable = (mode: string, hash: string): string | null => (mode.startsWith("100") ? hash : null);

/**
 * Returns the contents of the files, with the object id as key; null if the total size of the contents
 * exceeds `BYTES_MAX`.
 */
async function blobsOf(
  deps: Pick<Deps, "config">,
  project: CodeOf,
  changed: readonly Changed[],
): Promise<ReadonlyMap<string, string> | null> {
  const hashes = [...new Set(changed.flatMap(({ before, after }) => [before ?? [], after ?? []].flat()))];
  try {
    const call = { input: hashes.map((hash) => `${hash}\n`).join(""), bytesMax: BYTES_MAX };
    return textsIn(await gitIn(deps, project, ["cat-file", "--batch"], call));
  } catch (cause) {
    if (cause instanceof GitLimit && cause.reason === "too_large") return null;
    throw cause;
  }
}

/**
 * Parses the output of `git cat-file --batch`. For each object, the output contains `HASH KIND SIZE`, a line
 * feed, SIZE bytes and a line feed.
 */
function textsIn(out: Buffer): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (let at = 0; at < out.length; ) {
    const end = out.indexOf("\n", at);
    const [hash = "", , size] = out.subarray(at, end).toString("latin1").split(" ");
    const bytes = size === undefined ? 0 : Number(size);
    if (size !== undefined) texts.set(hash, out.subarray(end + 1, end + 1 + bytes).toString("utf8"));
    at = size === undefined ? end + 1 : end + bytes + 2;
  }
  return texts;
}
