import { notFound } from "next/navigation";
import { mayFetch, mayPush } from "@/access/code";
import { GitFailed } from "@/code/git/program";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, textOf, urlWithQuery } from "@/kernel/paging/keyset";
import { pageIn, pagesBeside } from "@/kernel/paging/page-number";
import { openProject } from "@/workspace/projects/loaders";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import { codeAddress, rawAddress } from "./code-url";
import { type Commit, listCommits, readCommit } from "./commit";
import { type FileDiff, readDiff } from "./diff";
import { patchesOf } from "./patch";
import { defaultBranch, listNames } from "./reference";
import { FIRST_BRANCH } from "./rules";
import { type ShownText, showText, TEXT_BYTES_MAX } from "./shown-text";
import { findFile, listTree, readFile, type TreeEntry } from "./tree";

/** What the page of a project says of its repository. */
export type RepositorySummary = Readonly<{
  cloneUrl: string;
  /** Where its code is shown; null for an empty one. */
  codeUrl: string | null;
  /** Lines that put something into an empty repository; null for one that is not empty, and for who may not push. */
  firstPush: string | null;
  isEmpty: boolean;
}>;

/** Null for who may not read the code. */
export async function loadRepository(project: AuthorizedProject): Promise<RepositorySummary | null> {
  if (!mayFetch(project.visibility, project.role)) return null;
  const { config, log } = systemDeps();
  const cloneUrl = `${config.issuer}/${project.fullPath}.git`;
  const isEmpty = await defaultBranch({ config }, project).then(
    (branch) => branch === null,
    (cause: unknown) => {
      // What cannot be read just now must not be called empty: somebody would push into it.
      log.error({ event: "repository.not_read", project_id: project.id }, cause);
      return false;
    },
  );
  const codeUrl = isEmpty ? null : codeAddress("tree", { project: project.id, ref: "", path: "" });
  return {
    cloneUrl,
    codeUrl,
    isEmpty,
    firstPush: isEmpty && mayPush(project.role) ? firstPush(cloneUrl) : null,
  };
}

const firstPush = (cloneUrl: string): string =>
  `cd your-folder
git init --initial-branch=${FIRST_BRANCH}
git add .
git commit --message "Begin"
git remote add origin ${cloneUrl}
git push --set-upstream origin ${FIRST_BRANCH}`;

/** The project of a page that shows code. For whoever may not read it, there is no such page. */
export async function openCode(id: string, address: (home: string) => string): Promise<AuthorizedProject> {
  const { project } = await openProject(id, address);
  return mayFetch(project.visibility, project.role) ? project : notFound();
}

/** A path as it is: names in a repository may begin and end with spaces. */
const pathIn = ({ path }: Query): string => (typeof path === "string" ? path : "");

/** Where in a repository a page is, with all that the head of the page needs. */
async function openPlace(id: string, query: Query, at: "tree" | "file" | "commits") {
  const [ref, path] = [textOf(query, "ref"), pathIn(query)];
  const project = await openCode(id, (home) => urlWithQuery(`${home}/${at}`, { ref, path }));
  const deps = systemDeps();
  const [main, names] = await Promise.all([defaultBranch(deps, project), listNames(deps, project)]);
  const head = {
    place: { project: project.id, ref, path },
    root: project.path,
    main,
    names,
    isEmpty: main === null && ref === "",
  };
  return { head, project, deps, revision: ref === "" ? null : ref };
}

export type CodeHead = Awaited<ReturnType<typeof openPlace>>["head"];

/** What Git gives a page. What is not there, or is more than Git may say at once, is no page. */
export async function findRepository<T>(answer: Promise<T | null>): Promise<T> {
  try {
    return (await answer) ?? notFound();
  } catch (cause) {
    if (!(cause instanceof GitFailed)) throw cause;
    systemDeps().log.warn({ event: "repository.not_shown", cause: cause.message });
    return notFound();
  }
}

/** A longer list is read in a copy of the repository. */
const ENTRIES_MAX = 1_000;

/** A folder at a revision; without `folder` where the repository is empty. */
export async function loadTree(id: string, query: Query) {
  const { head, project, deps, revision } = await openPlace(id, query, "tree");
  const now = deps.clock();
  if (head.isEmpty) return { head, now, folder: null };
  const { path } = head.place;
  const [entries, [last]] = await Promise.all([
    findRepository(listTree(deps, project, { revision, path, recursive: false })),
    findRepository(listCommits(deps, project, { revision, path: path || undefined, skip: 0, most: 1 })),
  ]);
  const readme = await readmeOf(project, entries);
  const folder = { entries: entries.slice(0, ENTRIES_MAX), total: entries.length, last, readme };
  return { head, now, folder };
}

/** The file of a folder that says what the folder is. */
async function readmeOf(
  project: AuthorizedProject,
  entries: readonly TreeEntry[],
): Promise<Readonly<{ name: string; shown: ShownText }> | null> {
  const found = entries
    .filter(({ mode, name }) => mode.startsWith("100") && /^readme(?:\.(?:md|txt|rst))?$/i.test(name))
    .toSorted((one, other) => other.name.length - one.name.length)[0];
  if (found === undefined) return null;
  const content = await readFile(systemDeps(), project, found).catch((cause: unknown) => {
    if (cause instanceof GitFailed) return null;
    throw cause;
  });
  return { name: found.name, shown: content === null ? { kind: "large" } : showText(content) };
}

/** A file at a revision, as a page shows it. */
export async function loadFile(id: string, query: Query) {
  const { head, project, deps, revision } = await openPlace(id, query, "file");
  const file = await findRepository(findFile(deps, project, { revision, path: head.place.path }));
  const [last, shown] = await Promise.all([
    findRepository(readCommit(deps, project, file.lastCommit)),
    file.sizeBytes > TEXT_BYTES_MAX
      ? ({ kind: "large" } as const)
      : readFile(deps, project, file).then(showText),
  ]);
  // The API wants a token for any other project, and a link brings none.
  const raw = project.visibility === "public" ? rawAddress(head.place) : null;
  const isLink = file.mode === "120000";
  return { head, sizeBytes: file.sizeBytes, isLink, last, shown, raw, now: deps.clock() };
}

const COMMITS_SHOWN = 30;

/** The commits that lead to a revision, a page of them; those that changed a path, if the address has one. */
export async function loadCommits(id: string, query: Query) {
  const { head, project, deps, revision } = await openPlace(id, query, "commits");
  const now = deps.clock();
  if (head.isEmpty) return { head, now, commits: [], pager: { newer: null, older: null } };
  const [{ ref, path }, page] = [head.place, pageIn(query)];
  const skip = (page - 1) * COMMITS_SHOWN;
  const search = { revision, path: path || undefined, skip, most: COMMITS_SHOWN + 1 };
  const found = await findRepository(listCommits(deps, project, search));
  if (found.length === 0) notFound();
  const commits = found.slice(0, COMMITS_SHOWN);
  const list = { page, perPage: COMMITS_SHOWN, shown: commits.length, total: skip + found.length };
  const home = codeAddress("commits", { ...head.place, ref: "", path: "" });
  return { head, now, commits, pager: pagesBeside(list, home, { ref, path }) };
}

/** A file of a commit with what changed in it; `patch` is null where that is too much to show. */
export type ShownDiff = Readonly<{ file: FileDiff; patch: ReturnType<typeof patchesOf>[number] }>;

/** One commit by its hash, or the beginning of it, and what it changed against the first of its parents. */
export async function loadCommit(id: string, sha: string) {
  const project = await openCode(id, (home) => `${home}/commits/${encodeURIComponent(sha)}`);
  if (!/^[0-9a-f]{7,40}$/.test(sha)) notFound();
  const deps = systemDeps();
  const commit: Commit = await findRepository(readCommit(deps, project, sha));
  // A branch may be called like a hash.
  if (!commit.hash.startsWith(sha)) notFound();
  const { files, overflow } = await findRepository(
    readDiff(deps, project, { from: commit.parents[0] ?? null, to: commit.hash }),
  );
  return { project: project.id, commit, diffs: shownDiffs(files), overflow, now: deps.clock() };
}

/** What differs, as a page shows it. */
export function shownDiffs(files: readonly FileDiff[]): readonly ShownDiff[] {
  const patches = patchesOf(files.map(({ text }) => text));
  return files.map((file, at) => ({ file, patch: file.tooLarge ? null : (patches[at] ?? null) }));
}
