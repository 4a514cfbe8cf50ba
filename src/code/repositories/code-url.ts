import { urlWithQuery } from "@/kernel/paging/keyset";

/** A revision and a path in a repository, as in the URLs of its pages. */
export type CodePlace = Readonly<{
  project: number;
  /** A branch, a tag or a commit; empty for the default branch. */
  ref: string;
  /** Empty for the root. */
  path: string;
}>;

type At = "tree" | "file" | "commits";

/** Returns the URL of the page that shows a folder, a file or its commits. */
export const codePageUrl = (at: At, { project, ref, path }: CodePlace): string =>
  urlWithQuery(`/projects/${project}/${at}`, { ref, path });

/** Returns the URL of the page of a commit. */
export const commitPageUrl = (project: number, hash: string): string =>
  `/projects/${project}/commits/${hash}`;

/** Returns the URL of a raw file in the API. Without a token, it works only for public projects. */
export const rawFileUrl = ({ project, ref, path }: CodePlace): string =>
  urlWithQuery(`/api/v4/projects/${project}/repository/files/${encodeURIComponent(path)}/raw`, { ref });
