import { urlWithQuery } from "@/kernel/http/query";

/** A revision and a path in a repository, as in the URL of a page that shows source code. */
export type CodeLocation = Readonly<{
  project: number;
  /** The name of a branch, a tag or a commit; empty for the default branch. */
  ref: string;
  /** The path of a folder or file; empty for the root folder. */
  path: string;
}>;

type At = "tree" | "file" | "commits";

/** Returns the URL of the page that shows a folder, a file, or the commits that changed a folder or file. */
export const codePageUrl = (at: At, { project, ref, path }: CodeLocation): string =>
  urlWithQuery(`/projects/${project}/${at}`, { ref, path });

/** Returns the URL of the page that shows a commit. */
export const commitPageUrl = (project: number, hash: string): string =>
  `/projects/${project}/commits/${hash}`;

/**
 * Returns the URL of the content of a file. Every user who may read the source code can open this URL in a
 * browser.
 */
export const rawFileUrl = ({ project, ref, path }: CodeLocation): string =>
  urlWithQuery(`/projects/${project}/raw`, { ref, path });
