import { type Query, textOf, urlWithQuery } from "@/kernel/http/query";

/**
 * A page that shows source code. `segments` contains the URL segments of the reference followed by the URL
 * segments of the path. The URL does not show where the path begins, because the reference and the path may
 * contain slashes.
 */
type CodePage = Readonly<{ at: "tree" | "file" | "commits" | "raw"; segments: readonly string[] }>;

/**
 * The GitLab pages whose URLs contain a reference and a path, each with the Gatehouse page that shows the same
 * content.
 */
const CODE_PAGES: Readonly<Record<string, CodePage["at"]>> = {
  tree: "tree",
  blob: "file",
  raw: "raw",
  commits: "commits",
};

/** The GitLab pages whose URLs contain no reference, each with the Gatehouse page for the same purpose. */
const PAGES: Readonly<Record<string, string>> = {
  edit: "settings",
  project_members: "members",
  packages: "packages",
  container_registry: "container_registry",
  error_tracking: "errors",
  merge_requests: "merge_requests",
  "settings/repository": "settings/protected_branches",
  "settings/merge_requests": "settings/merge_requests",
};

/**
 * Converts the part of a GitLab URL after `/-/` to the corresponding page of a project. The result is a path
 * below the URL of the project, or a page that shows source code.
 * @returns null if no page corresponds to the GitLab URL.
 */
export function pageOfGitlabUrl(segments: readonly string[], query: Query): string | CodePage | null {
  const [first = "", second = "", ...more] = segments;
  const at = Object.hasOwn(CODE_PAGES, first) ? CODE_PAGES[first] : undefined;
  if (at !== undefined) return { at, segments: segments.slice(1) };
  if (first === "commit")
    return /^[0-9a-f]{7,40}$/.test(second) && more.length === 0 ? `commits/${second}` : null;
  if (first === "merge_requests" && second !== "") return mergeRequestPage(second, more, query);
  if (first === "error_tracking" && /^\d+$/.test(second)) return `errors/${second}`;
  const name = segments.join("/");
  if (!Object.hasOwn(PAGES, name)) return null;
  const [state, search] = [textOf(query, "state"), textOf(query, "search")];
  return urlWithQuery(PAGES[name] ?? "", name === "merge_requests" ? { state, search } : {});
}

/** The tabs of a merge request in GitLab. In Gatehouse, one page shows the contents of all tabs. */
const TABS: readonly string[] = ["diffs", "commits", "pipelines"];

function mergeRequestPage(second: string, more: readonly string[], query: Query): string | null {
  if (second === "new" && more.length === 0)
    return urlWithQuery("merge_requests/new", { source: textOf(query, "merge_request[source_branch]") });
  const isTab = more.length === 0 || (more.length === 1 && TABS.includes(more[0] ?? ""));
  return /^\d+$/.test(second) && isTab ? `merge_requests/${second}` : null;
}

/**
 * Splits the segments of a URL into two parts: the name of a branch, tag or commit, and a path. Like GitLab,
 * the function selects the longest existing name of a branch or tag; if no such name exists, the first
 * segment is the name.
 * @param exists a function that returns whether a branch or a tag with the given name exists.
 */
export function splitReference(
  segments: readonly string[],
  exists: (name: string) => boolean,
): Readonly<{ ref: string; path: string }> {
  const parts = segments.filter((segment) => segment !== "");
  let length = 1;
  for (let count = Math.min(parts.length, REFERENCE_SEGMENTS_MAX); count > 1 && length === 1; count -= 1)
    if (exists(parts.slice(0, count).join("/"))) length = count;
  return { ref: parts.slice(0, length).join("/"), path: parts.slice(length).join("/") };
}

/** The maximum number of segments in a reference name that `splitReference` looks up. */
const REFERENCE_SEGMENTS_MAX = 20;
