import { urlWithQuery } from "@/kernel/paging/keyset";

/** A place in a repository, as the addresses of its pages say it. */
export type CodePlace = Readonly<{
  project: number;
  /** A branch, a tag or a commit; empty: the default branch. */
  ref: string;
  /** Empty: the root. */
  path: string;
}>;

type At = "tree" | "file" | "commits";

/** The address of the page that shows a folder, a file or the commits of a place. */
export const codeAddress = (at: At, { project, ref, path }: CodePlace): string =>
  urlWithQuery(`/projects/${project}/${at}`, { ref, path });

/** The address of the page of one commit. */
export const commitAddress = (project: number, hash: string): string =>
  `/projects/${project}/commits/${hash}`;

/** Where the API gives a file as it is, to those who need no token for it. */
export const rawAddress = ({ project, ref, path }: CodePlace): string =>
  urlWithQuery(`/api/v4/projects/${project}/repository/files/${encodeURIComponent(path)}/raw`, { ref });
