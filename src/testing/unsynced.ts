import { dirname, normalize, resolve } from "node:path";

/** The system calls that `unsyncedAt` evaluates; for `strace -e trace=`. */
export const TRACED =
  "open,openat,creat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat,unlink,unlinkat,rmdir,chdir," +
  "fsync,fdatasync,sync_file_range,faccessat,faccessat2,access";

type Disk = {
  /** The files whose content has not been synced since they were opened for writing. */
  readonly content: Set<string>;
  /** The files and folders whose name has not been synced with their folder. */
  readonly names: Set<string>;
};

/**
 * Returns the data that a power failure would lose at marked moments, from the output of `strace -f -y`. The
 * lost data are unsynced content, and new names in folders that were not synced after the creation of the
 * name.
 * @param marker the prefix of the paths that mark moments. An access to `${marker}NAME` marks the moment
 * NAME.
 * @param below the folders to check.
 * @returns the lost paths of each moment.
 */
export function unsyncedAt(
  trace: string,
  { marker, below }: Readonly<{ marker: string; below: readonly string[] }>,
): ReadonlyMap<string, readonly string[]> {
  const disk: Disk = { content: new Set(), names: new Set() };
  /** The working folder of each process, by the id of the process. */
  const folders = new Map<string, string>();
  const moments = new Map<string, readonly string[]>();
  for (const [pid, call] of callsIn(trace)) {
    const [, name = "", args = "", result = ""] = /^(\w+)\((.*)\)\s+= (-?\d+)/.exec(call) ?? [];
    const cwd = /AT_FDCWD<([^>]*)>/.exec(args)?.[1] ?? folders.get(pid) ?? "/";
    folders.set(pid, cwd);
    const paths = [...args.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, path = ""]) =>
      absolute(args, cwd, path),
    );
    const [first = "", second = ""] = paths;
    if (first.startsWith(marker)) moments.set(first.slice(marker.length), lostOf(disk, below));
    if (result.startsWith("-") || name === "") continue;
    if (name === "chdir") folders.set(pid, first);
    else if (/sync/.test(name)) synced(disk, /<([^>]*)>/.exec(args)?.[1] ?? "");
    else if (/^(?:open|creat)/.test(name)) opened(disk, first, args);
    else if (name.startsWith("mkdir")) disk.names.add(first);
    else if (name.startsWith("link")) move(disk, first, second, false);
    else if (name.startsWith("rename")) move(disk, first, second, true);
    else if (/^(?:unlink|rmdir)/.test(name)) forget(disk, first);
  }
  return moments;
}

/**
 * Returns the system calls of each process. If a line of another process splits the output of a system call,
 * the parts are joined.
 */
function* callsIn(trace: string): Generator<readonly [pid: string, call: string]> {
  const unfinished = new Map<string, string>();
  for (const line of trace.split("\n")) {
    const [, pid = "", call = ""] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    const begun = /^(.*) <unfinished \.\.\.>$/.exec(call)?.[1];
    const rest = /^<\.\.\. \w+ resumed>(.*)$/.exec(call)?.[1];
    if (begun !== undefined) unfinished.set(pid, begun);
    else yield [pid, rest === undefined ? call : `${unfinished.get(pid) ?? ""}${rest}`];
  }
}

function absolute(args: string, cwd: string, path: string): string {
  const [, folder] = /^(?:AT_FDCWD|\d+)<([^>]*)>/.exec(args) ?? [];
  return normalize(resolve(folder ?? cwd, path));
}

function opened(disk: Disk, path: string, args: string): void {
  if (/O_WRONLY|O_RDWR/.test(args)) disk.content.add(path);
  if (/O_CREAT/.test(args)) disk.names.add(path);
}

function synced({ content, names }: Disk, path: string): void {
  content.delete(path);
  for (const name of names) if (dirname(name) === path) names.delete(name);
}

function move({ content, names }: Disk, from: string, to: string, isRename: boolean): void {
  for (const paths of [content, names])
    for (const path of [...paths]) {
      if (path !== from && !path.startsWith(`${from}/`)) continue;
      if (isRename) paths.delete(path);
      paths.add(to + path.slice(from.length));
    }
  names.add(to);
}

function forget({ content, names }: Disk, path: string): void {
  content.delete(path);
  names.delete(path);
}

const lostOf = ({ content, names }: Disk, below: readonly string[]): readonly string[] =>
  [...new Set([...content, ...names])].filter((path) => below.some((folder) => path.startsWith(folder)));
