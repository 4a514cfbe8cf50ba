import { createHash } from "node:crypto";
import { z } from "zod";
import { FILE_BYTES_MAX, findFile, listTree, readFile, type TreeEntry } from "@/code/repositories/tree";
import { notFound, tooLarge } from "@/http-api/errors";
import { flag } from "@/http-api/fields";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import type { OpenProject } from "@/workspace/api/access-rules";
import { type FileWithContent, fileFields } from "./entities/repository";
import { path, revision } from "./fields";
import { partByToken } from "./page-token";

export const treeSearch = z.object({
  ref: revision.optional().describe("A branch, a tag or a commit. Default: the default branch."),
  path: path.default("").describe("The path of a folder. Default: the root."),
  recursive: flag.default(false),
});

/** Returns a page of the entries of a folder. @throws ApiError 404 if the revision or folder does not exist. */
export async function readTree(
  deps: Deps,
  { project }: OpenProject,
  { ref, path: folder, recursive }: z.infer<typeof treeSearch>,
  paging: Paging,
): Promise<Page<TreeEntry>> {
  const where = { revision: ref ?? null, path: folder.replace(/^\/+|\/+$/g, ""), recursive };
  const entries = await listTree(deps, project, where);
  if (entries === null) throw notFound("Tree");
  return partByToken(entries, paging, (entry) => entry.path);
}

export const fileReference = z.object({ file_path: path.min(1), ref: revision.optional() });

type FileReference = z.infer<typeof fileReference>;

async function fileAt(deps: Deps, { project }: OpenProject, { file_path, ref }: FileReference) {
  const file = await findFile(deps, project, { revision: ref ?? null, path: file_path });
  if (file === null) throw notFound("File");
  if (file.sizeBytes > FILE_BYTES_MAX) throw tooLarge();
  return { file, content: await readFile(deps, project, file) };
}

/**
 * Returns a file with its content.
 * @throws ApiError 404 if the file does not exist, 413 if the file is too large.
 */
export async function readRepositoryFile(
  deps: Deps,
  caller: OpenProject,
  query: FileReference,
): Promise<FileWithContent> {
  const { file, content } = await fileAt(deps, caller, query);
  return {
    ref: query.ref ?? "HEAD",
    file,
    content,
    sha256: createHash("sha256").update(content).digest("hex"),
  };
}

/**
 * Returns the properties of a file as the response headers that GitLab sends. A response to a HEAD request
 * consists only of these response headers.
 */
export const fileHeaders = (file: FileWithContent): Readonly<Record<string, string>> => {
  const { content: _content, ...properties } = fileFields(file);
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [
      `x-gitlab-${name.replaceAll("_", "-")}`,
      headerValue(String(value)),
    ]),
  );
};

/**
 * Encodes a header value as UTF-8, as GitLab does. Control characters, which a header cannot contain, are
 * percent-encoded.
 */
const headerValue = (text: string): string =>
  Buffer.from(
    text.replace(/\p{Cc}/gu, (character) => encodeURIComponent(character)),
    "utf8",
  ).toString("latin1");

/** Returns the content of a file. The response headers prevent browsers from running scripts in the file. */
export async function readRawFile(deps: Deps, caller: OpenProject, query: FileReference): Promise<Response> {
  const file = await readRepositoryFile(deps, caller, query);
  const { content } = file;
  const isText = !content.subarray(0, 8_000).includes(0);
  return new Response(new Uint8Array(content), {
    headers: {
      "content-type": isText ? "text/plain; charset=utf-8" : "application/octet-stream",
      "content-disposition": isText ? "inline" : "attachment",
      "content-security-policy": "default-src 'none'; sandbox",
      ...fileHeaders(file),
    },
  });
}
