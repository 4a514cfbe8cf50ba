import { z } from "zod";
import { apiOf, defineEntity, moment } from "@/http-api/entity";
import type { Package, PackageFile } from "@/registries/packages/rules";
import type { PublishedFile } from "@/registries/packages/service";
import type { OfProject } from "@/workspace/projects/rules";

/**
 * A published file, with the package and the project of the file. `returnsFile` is true if the response to
 * the upload must describe the file.
 */
export type Uploaded = PublishedFile & Readonly<{ returnsFile: boolean }>;

/** The response for a package. The files of a package have a separate endpoint. */
export const publishedPackage = defineEntity(
  "package",
  {
    id: z.int(),
    name: z.string(),
    version: z.string(),
    package_type: z.string(),
    status: z.literal("default"),
    _links: z.object({ web_path: z.string(), delete_api_path: z.url() }),
    created_at: moment,
    last_downloaded_at: moment.nullable(),
    tags: z.array(z.string()),
  },
  ({ project, item }: OfProject<Package>, deps, _viewer, version) => ({
    id: item.id,
    name: item.name,
    version: item.version,
    package_type: item.type,
    status: "default" as const,
    _links: {
      web_path: `/projects/${project.id}/packages`,
      delete_api_path: `${apiOf(deps, version)}/projects/${project.id}/packages/${item.id}`,
    },
    created_at: item.createdAt.toISOString(),
    last_downloaded_at: item.lastDownloadedAt?.toISOString() ?? null,
    tags: [],
  }),
);

const fileFields = {
  id: z.int(),
  package_id: z.int(),
  created_at: moment,
  file_name: z.string(),
  size: z.int(),
  file_md5: z.null(),
  file_sha1: z.null(),
  file_sha256: z.string(),
};

const fileOf = (file: PackageFile) => ({
  id: file.id,
  package_id: file.packageId,
  created_at: file.createdAt.toISOString(),
  file_name: file.name,
  size: file.sizeBytes,
  // The MD5 and SHA-1 digests are null, because the server computes only SHA-256 digests.
  file_md5: null,
  file_sha1: null,
  file_sha256: file.sha256,
});

export const packageFile = defineEntity("package_file", fileFields, fileOf);

/**
 * The response to an upload: a message, or a description of the file if the request has the parameter
 * `select=package_file`.
 */
export const uploadedFile = defineEntity(
  "uploaded_package_file",
  {
    message: z.literal("201 Created").optional(),
    ...z.object({ ...fileFields, updated_at: moment, file: z.object({ url: z.url() }) }).partial().shape,
  },
  ({ project, from, file, returnsFile }: Uploaded, deps, _viewer, version) => {
    if (!returnsFile) return { message: "201 Created" as const };
    const names = [from.name, from.version, file.name].map(encodeURIComponent).join("/");
    return {
      ...fileOf(file),
      updated_at: file.updatedAt.toISOString(),
      file: { url: `${apiOf(deps, version)}/projects/${project.id}/packages/generic/${names}` },
    };
  },
);
