import { notFound, redirect } from "next/navigation";
import { mayFetch, mayPush } from "@/access/code";
import { GitFailed } from "@/code/git/program";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, textOf, urlWithQuery } from "@/kernel/http/query";
import { renderMarkdown } from "@/kernel/markdown/markdown";
import { NO_LINKS, offsetLinks, offsetPagingIn } from "@/kernel/paging/links";
import { windowOf } from "@/kernel/paging/paging";
import { openProject, PROJECTS } from "@/workspace/projects/loaders";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import { type CodeLocation, codePageUrl, rawFileUrl } from "./code-url";
import { type Commit, listCommits, readCommit } from "./commit";
import { type FileDiff, readDiff } from "./diff";
import { pageOfGitlabUrl, splitReference } from "./gitlab-url";
import { isMarkdownName, repositoryUrls } from "./markdown-urls";
import { patchesOf } from "./patch";
import { isPictureName } from "./raw-content";
import { defaultBranch, isReference, listNames } from "./reference";
import { nullIfRefused } from "./revision";
import { FIRST_BRANCH } from "./rules";
import { type ShownText, showText, TEXT_BYTES_MAX } from "./shown-text";
import { FILE_BYTES_MAX, findBlob, findFile, listTree, readFile, type TreeEntry } from "./tree";

/** The repository of a project, as the project page shows it. */
export type RepositorySummary = Readonly<{
  cloneUrl: string;
  /** The URL path of the page that shows the files of the repository; null for an empty repository. */
  codeUrl: string | null;
  /** Commands for the first push; null if the repository is not empty or the user may not push. */
  firstPush: string | null;
  isEmpty: boolean;
}>;

/** Returns the repository for the project page; null if the user may not read the source code. */
export function loadRepository(project: AuthorizedProject): RepositorySummary | null {
  if (!mayFetch(project.visibility, project.role)) return null;
  const { config, log } = systemDeps();
  const cloneUrl = `${config.issuer}/${project.fullPath}.git`;
  let isEmpty = false;
  try {
    isEmpty = defaultBranch({ config }, project) === null;
  } catch (cause) {
    // An unreadable repository does not count as empty, because the page must not show the commands for a
    // first push.
    log.error({ event: "repository.not_read", project_id: project.id }, cause);
  }
  const codeUrl = isEmpty ? null : codePageUrl("tree", { project: project.id, ref: "", path: "" });
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

/**
 * Returns the project of a page that shows source code. The page "not found" is shown to users who may not
 * read the source code.
 */
export async function openCode(id: string, url: (home: string) => string): Promise<AuthorizedProject> {
  const { project } = await openProject(id, url);
  return mayFetch(project.visibility, project.role) ? project : notFound();
}

/**
 * Returns the file path in the query string of the URL. The path is not trimmed, because file names in a
 * repository may begin and end with spaces.
 */
const pathIn = ({ path }: Query): string => (typeof path === "string" ? path : "");

/** Loads the revision and the path of a page that shows source code, and the content of the page heading. */
async function openLocation(id: string, query: Query, at: "tree" | "file" | "commits") {
  const [ref, path] = [textOf(query, "ref"), pathIn(query)];
  const project = await openCode(id, (home) => urlWithQuery(`${home}/${at}`, { ref, path }));
  const deps = systemDeps();
  const main = defaultBranch(deps, project);
  const names = await listNames(deps, project);
  const head = {
    location: { project: project.id, ref, path },
    root: project.path,
    main,
    names,
    isEmpty: main === null && ref === "",
  };
  return { head, project, deps, revision: ref === "" ? null : ref };
}

export type CodeHead = Awaited<ReturnType<typeof openLocation>>["head"];

/** Waits for the result of a Git operation. Shows the page "not found" if the result is null or Git fails. */
export async function findRepository<T>(value: Promise<T | null>): Promise<T> {
  try {
    return (await value) ?? notFound();
  } catch (cause) {
    if (!(cause instanceof GitFailed)) throw cause;
    systemDeps().log.warn({ event: "repository.not_shown", cause: cause.message });
    return notFound();
  }
}

/** The maximum number of folder entries on a page. */
const ENTRIES_MAX = 1_000;

/** Loads a folder at a revision. In the result, `folder` is null for an empty repository. */
export async function loadTree(id: string, query: Query) {
  const { head, project, deps, revision } = await openLocation(id, query, "tree");
  const now = deps.clock();
  if (head.isEmpty) return { head, now, folder: null };
  const { path } = head.location;
  const [entries, [last]] = await Promise.all([
    findRepository(listTree(deps, project, { revision, path, recursive: false })),
    findRepository(listCommits(deps, project, { revision, path: path || undefined, skip: 0, most: 1 })),
  ]);
  const readme = await readmeOf(project, head.location, entries);
  const folder = { entries: entries.slice(0, ENTRIES_MAX), total: entries.length, last, readme };
  return { head, now, folder };
}

/** Returns the README of a folder; null if the folder has no README. */
async function readmeOf(
  project: AuthorizedProject,
  location: CodeLocation,
  entries: readonly TreeEntry[],
): Promise<Readonly<{ name: string; shown: ShownText; html: string | null }> | null> {
  const readme = entries
    .filter(
      ({ mode, name }) => mode.startsWith("100") && /^readme(?:\.(?:md|markdown|txt|rst))?$/i.test(name),
    )
    .toSorted((a, b) => b.name.length - a.name.length)[0];
  if (readme === undefined) return null;
  const content = await readFile(systemDeps(), project, readme).catch((cause: unknown) => {
    if (cause instanceof GitFailed) return null;
    throw cause;
  });
  const shown: ShownText = content === null ? { kind: "large" } : showText(content);
  return { name: readme.name, shown, html: markdownOf(readme.name, shown, location, 2) };
}

/**
 * Returns the text of a Markdown file as HTML; null if the file is not a Markdown file or cannot be rendered.
 * @param location the folder of the file.
 * @param headingsBelow the level of the page heading above the text, such as 2; headings in the text begin at
 * the next level, such as 3.
 */
function markdownOf(
  name: string,
  shown: ShownText,
  location: CodeLocation,
  headingsBelow: number,
): string | null {
  if (shown.kind !== "text" || shown.lines === 0 || !isMarkdownName(name)) return null;
  return renderMarkdown(shown.text, { headingsBelow, urls: repositoryUrls(location) });
}

/** Loads a file at a revision. */
export async function loadFile(id: string, query: Query) {
  const { head, project, deps, revision } = await openLocation(id, query, "file");
  const file = await findRepository(findFile(deps, project, { revision, path: head.location.path }));
  const [last, shown] = await Promise.all([
    findRepository(readCommit(deps, project, file.lastCommit)),
    file.sizeBytes > TEXT_BYTES_MAX
      ? ({ kind: "large" } as const)
      : readFile(deps, project, file).then(showText),
  ]);
  const isLink = file.mode === "120000";
  const raw = file.sizeBytes > FILE_BYTES_MAX ? null : rawFileUrl(head.location);
  const picture = raw !== null && shown.kind === "binary" && isPictureName(head.location.path) ? raw : null;
  const { location } = head;
  const markdown = isLink
    ? null
    : markdownOf(location.path, shown, { ...location, path: folderIn(location.path) }, 1);
  const source = markdown === null ? null : { ...location, isShown: textOf(query, "plain") === "1" };
  const html = source?.isShown ? null : markdown;
  return {
    head,
    sizeBytes: file.sizeBytes,
    isLink,
    last,
    shown,
    html,
    source,
    raw,
    picture,
    now: deps.clock(),
  };
}

/**
 * Redirects a URL with a GitLab path (`/-/blob/main/src/a.js`) to the page with the same content in the
 * project.
 * @param segments the segments of the path after `/-/`, percent-encoded as in the URL.
 */
export async function followGitlabUrl(id: string, segments: readonly string[], query: Query): Promise<never> {
  const { project } = await openProject(id, (home) => `${home}/-/${segments.join("/")}`);
  const page = pageOfGitlabUrl(segments.map(decoded), query) ?? notFound();
  if (typeof page === "string") redirect(`${PROJECTS}/${project.id}/${page}`);
  if (!mayFetch(project.visibility, project.role)) notFound();
  const deps = systemDeps();
  const { ref, path } = splitReference(page.segments, (name) => isReference(deps, project, name));
  const location = { project: project.id, ref: ref === "HEAD" ? "" : ref, path };
  if (page.at === "raw") redirect(rawFileUrl(location));
  redirect(codePageUrl(page.at === "commits" ? page.at : await placeOf(project, location), location));
}

/**
 * Returns whether a path is the path of a file (`file`) or of a folder (`tree`). The kind is read from the
 * repository, because the URL of a link in a README does not show whether the target of the link is a file or
 * a folder.
 */
async function placeOf(project: AuthorizedProject, { ref, path }: CodeLocation): Promise<"file" | "tree"> {
  if (path === "") return "tree";
  const file = findBlob(systemDeps(), project, { revision: ref || null, path });
  return (await file.catch(nullIfRefused)) === null ? "tree" : "file";
}

/**
 * Decodes a path segment. The function never throws, because the server refuses URLs with invalid escapes
 * before a page is loaded.
 */
const decoded = (segment: string): string => decodeURIComponent(segment);

const folderIn = (path: string): string => path.split("/").slice(0, -1).join("/");

const COMMITS_SHOWN = 25;

/**
 * Loads a page of the commits of a revision. If the URL contains a path, only commits that changed this path are
 * listed.
 */
export async function loadCommits(id: string, query: Query) {
  const { head, project, deps, revision } = await openLocation(id, query, "commits");
  const now = deps.clock();
  if (head.isEmpty) return { head, now, commits: [], pager: NO_LINKS };
  const [{ ref, path }, paging] = [head.location, offsetPagingIn(query, COMMITS_SHOWN)];
  const { skip } = windowOf(paging);
  const search = { revision, path: path || undefined, skip, most: COMMITS_SHOWN + 1 };
  const rows = await findRepository(listCommits(deps, project, search));
  if (rows.length === 0) notFound();
  const commits = rows.slice(0, COMMITS_SHOWN);
  const shown = { rows: commits, total: skip + rows.length };
  const home = codePageUrl("commits", { ...head.location, ref: "", path: "" });
  return { head, now, commits, pager: offsetLinks(paging, shown, home, { ref, path }) };
}

/** A changed file with its patch. If the patch is too large for the page, the patch is null. */
export type ShownDiff = Readonly<{ file: FileDiff; patch: ReturnType<typeof patchesOf>[number] }>;

/** Loads a commit by its full or abbreviated hash, with its diff against the first parent. */
export async function loadCommit(id: string, sha: string) {
  const project = await openCode(id, (home) => `${home}/commits/${encodeURIComponent(sha)}`);
  if (!/^[0-9a-f]{7,40}$/.test(sha)) notFound();
  const deps = systemDeps();
  const commit: Commit = await findRepository(readCommit(deps, project, sha));
  // If the URL contains the name of a branch that looks like a hash, the page "not found" is shown.
  if (!commit.hash.startsWith(sha)) notFound();
  const { files, overflow } = await findRepository(
    readDiff(deps, project, { from: commit.parents[0] ?? null, to: commit.hash }),
  );
  return { project: project.id, commit, diffs: shownDiffs(files), overflow, now: deps.clock() };
}

/**
 * Returns the changed files with their patches. The patch of a file is null if it does not fit on the page.
 */
export function shownDiffs(files: readonly FileDiff[]): readonly ShownDiff[] {
  const patches = patchesOf(files.map(({ text }) => text));
  return files.map((file, at) => ({ file, patch: file.tooLarge ? null : (patches[at] ?? null) }));
}
