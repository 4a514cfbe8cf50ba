import { z } from "zod";
import { badRequest, notFound, requestTimeout, tooLarge } from "@/http-api/errors";
import { id, text } from "@/http-api/fields";
import type { Deps } from "@/kernel/deps/deps";
import { matchesEntityTag } from "@/kernel/http/entity-tag";
import { rangeOf } from "@/kernel/http/range";
import type { Page, Paging } from "@/kernel/paging/paging";
import {
  type FileCoordinates,
  isFileName,
  isPackageNameOrVersion,
  PACKAGE_TYPES,
  type Package,
  type PackageFile,
} from "@/registries/packages/rules";
import * as packages from "@/registries/packages/service";
import type { InProject, OpenProject } from "@/workspace/api/access-rules";
import type { AuthorizedProject, OfProject } from "@/workspace/projects/rules";
import type { Uploaded } from "./entities/package";

const word = (name: string, isGood: (text: string) => boolean) =>
  z.string().refine(isGood, { message: `${name} is invalid` });

export const fileReference = z.object({
  package_name: word("package_name", isPackageNameOrVersion).describe(
    "The name may contain letters, digits and . - _ + ~ @",
  ),
  package_version: word("package_version", isPackageNameOrVersion),
  file_name: word("file_name", isFileName),
});
type FileReference = z.infer<typeof fileReference>;

const coordinatesOf = ({ package_name, package_version, file_name }: FileReference): FileCoordinates => ({
  packageName: package_name,
  version: package_version,
  fileName: file_name,
});

export const upload = fileReference.extend({
  select: z
    .enum(["package_file"])
    .optional()
    .describe(
      "If the value is package_file, the response describes the published file; otherwise, the response contains a message.",
    ),
});

/**
 * Publishes a file of a generic package.
 * @throws ApiError 413 if the file is too large, 408 or 400 if the upload is incomplete.
 */
export async function publishFile(
  deps: Deps,
  { project, user }: InProject,
  { select, ...reference }: z.infer<typeof upload>,
  { body }: Request,
): Promise<Uploaded> {
  const published = await packages.publishFile(deps, project, user, coordinatesOf(reference), body);
  if (typeof published !== "string") return { ...published, returnsFile: select !== undefined };
  switch (published) {
    case "too_large":
      throw tooLarge();
    case "too_slow":
      throw requestTimeout();
    case "ended_early":
      throw badRequest("The upload ended before the file was complete");
    case "gone":
      throw notFound("Project");
  }
}

/**
 * Returns a published file, or a requested range of the file. The response headers prevent browsers from
 * executing the content.
 */
export async function downloadFile(
  deps: Deps,
  { project }: OpenProject,
  reference: FileReference,
  { method, headers: requestHeaders }: Request,
): Promise<Response> {
  const opened = await packages.openFile(deps, project, coordinatesOf(reference), (file) =>
    partOf(file, method, requestHeaders),
  );
  if (opened === null) throw notFound("Package File");
  const { file, content } = opened;
  const headers = {
    "content-type": "application/octet-stream",
    "content-disposition": `attachment; filename="${file.name}"`,
    "content-security-policy": "default-src 'none'; sandbox",
    "accept-ranges": "bytes",
    "repr-digest": `sha-256=:${Buffer.from(file.sha256, "hex").toString("base64")}:`,
    "last-modified": file.updatedAt.toUTCString(),
    etag: etagOf(file),
  };
  const respond = (status: number, more: Readonly<Record<string, string>>): Response =>
    new Response(content, { status, headers: { ...headers, ...more } });
  if (matchesEntityTag(requestHeaders.get("if-none-match"), headers.etag)) return respond(304, {});
  const range = requestedRange(file, method, requestHeaders);
  if (range === "unsatisfiable") return respond(416, { "content-range": `bytes */${file.sizeBytes}` });
  if (range === null) return respond(200, { "content-length": String(file.sizeBytes) });
  return respond(206, {
    "content-length": String(range.end - range.begin + 1),
    "content-range": `bytes ${range.begin}-${range.end}/${file.sizeBytes}`,
  });
}

const etagOf = ({ sha256 }: PackageFile): string => `"${sha256}"`;

function requestedRange(file: PackageFile, method: string, headers: Headers): ReturnType<typeof rangeOf> {
  const isSame = [null, etagOf(file)].includes(headers.get("if-range"));
  return isSame && method === "GET" ? rangeOf(headers.get("range"), file.sizeBytes) : null;
}

/**
 * Returns the part of the file content that the request asks for, so that only this part is read from the
 * storage.
 */
function partOf(file: PackageFile, method: string, headers: Headers): packages.NeededPart {
  if (method === "HEAD" || file.sizeBytes === 0) return "none";
  if (matchesEntityTag(headers.get("if-none-match"), etagOf(file))) return "none";
  const range = requestedRange(file, method, headers);
  if (range === "unsatisfiable") return "none";
  return range ?? "whole";
}

export const packageSearch = z.object({
  package_name: text(255).optional().describe("Text that occurs in the package name."),
  package_version: text(255).optional(),
  package_type: z.enum(PACKAGE_TYPES).optional(),
  order_by: z.enum(["created_at", "name", "version", "type"]).default("created_at"),
  sort: z.enum(["asc", "desc"]).default("asc"),
});

const within = <Item>(project: AuthorizedProject, { rows, ...page }: Page<Item>): Page<OfProject<Item>> => ({
  ...page,
  rows: rows.map((item) => ({ project, item })),
});

export async function listPackages(
  deps: Deps,
  { project }: OpenProject,
  { package_name, package_version, package_type, order_by, sort }: z.infer<typeof packageSearch>,
  paging: Paging,
): Promise<Page<OfProject<Package>>> {
  const filter = {
    name: package_name || undefined,
    version: package_version || undefined,
    type: package_type,
    order: order_by,
    descending: sort === "desc",
  };
  return within(project, await packages.listPackages(deps, project, filter, paging));
}

export const packageReference = z.object({ package_id: id });
type PackageReference = z.infer<typeof packageReference>;

/**
 * Returns a package.
 * @throws ApiError 404 if the project has no such package.
 */
export async function readPackage(
  deps: Deps,
  { project }: Pick<OpenProject, "project">,
  { package_id }: PackageReference,
): Promise<OfProject<Package>> {
  const item = await packages.findPackage(deps, project, package_id);
  if (item === null) throw notFound("Package");
  return { project, item };
}

export async function listFiles(
  deps: Deps,
  context: OpenProject,
  reference: PackageReference,
  paging: Paging,
): Promise<Page<PackageFile>> {
  const { item } = await readPackage(deps, context, reference);
  return packages.listFiles(deps, item, paging);
}

export async function removePackage(
  deps: Deps,
  { project, user }: InProject,
  reference: PackageReference,
): Promise<null> {
  const { item } = await readPackage(deps, { project }, reference);
  if (!(await packages.removePackage(deps, project, item, user))) throw notFound("Package");
  return null;
}

export const packageFileReference = packageReference.extend({ file_id: id });

export async function removeFile(
  deps: Deps,
  { project, user }: InProject,
  { package_id, file_id }: z.infer<typeof packageFileReference>,
): Promise<null> {
  const { item } = await readPackage(deps, { project }, { package_id });
  if (!(await packages.removeFile(deps, project, item, file_id, user))) throw notFound("Package File");
  return null;
}
