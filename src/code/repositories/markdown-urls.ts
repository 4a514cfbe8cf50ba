import type { MarkdownOptions } from "@/kernel/markdown/markdown";
import { type CodeLocation, rawFileUrl } from "./code-url";
import { isPictureName } from "./raw-content";

/** Returns whether a file with this name contains Markdown. */
export const isMarkdownName = (path: string): boolean => /\.(?:md|markdown|mdown|mkd)$/i.test(path);

/**
 * Returns the functions that resolve the relative links and pictures of a Markdown text in a repository. As
 * in GitLab, a link that begins with a slash is resolved against the root folder of the repository.
 * @param location.path the folder that contains the text.
 */
export function repositoryUrls({ project, ref, path }: CodeLocation): MarkdownOptions["urls"] {
  const folder = folderUrl(path);
  return {
    key: JSON.stringify([project, ref, path]),
    link: (reference) => {
      const target = targetOf(reference, folder);
      if (target === null) return null;
      const segments = [ref === "" ? "HEAD" : ref, target.path].flatMap((part) => part.split("/"));
      return `/projects/${project}/-/blob/${segments.map(encodeURIComponent).join("/")}${target.fragment}`;
    },
    picture: (reference) => {
      const target = targetOf(reference, folder);
      return target === null || !isPictureName(target.path)
        ? null
        : rawFileUrl({ project, ref, path: target.path });
    },
  };
}

const REPOSITORY = "http://repository.invalid/";

/** Returns an absolute URL that represents a folder of the repository. */
function folderUrl(path: string): string {
  const { href } = new URL(REPOSITORY + path.split("/").map(encodeURIComponent).join("/"));
  return href.endsWith("/") ? href : `${href}/`;
}

/**
 * Resolves a relative link within a repository.
 * @param folder the URL of the folder that contains the text.
 * @returns null if the link cannot refer to a file of the repository.
 */
function targetOf(reference: string, folder: string): Readonly<{ path: string; fragment: string }> | null {
  try {
    const { href, pathname, hash } = new URL(reference, folder);
    if (!href.startsWith(REPOSITORY)) return null;
    return { path: decodeURIComponent(pathname).replace(/^\/+|\/+$/g, ""), fragment: hash };
  } catch {
    return null;
  }
}
