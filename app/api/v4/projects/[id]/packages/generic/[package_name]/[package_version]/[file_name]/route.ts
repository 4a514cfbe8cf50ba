import { file, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { packages, publishedPackages } from "@/registries/api/access-rules";
import { uploadedFile } from "@/registries/api/entities/package";
import { downloadFile, fileReference, publishFile, upload } from "@/registries/api/packages";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "Download a file of a generic package",
  in: packages(),
  input: fileReference,
  response: file(),
  run: downloadFile,
});
export const PUT = endpoint({
  summary:
    "Publish a file of a generic package, or replace the file of the same name; if several uploads run simultaneously, the last upload replaces the others",
  in: publishedPackages(),
  upload: true,
  input: upload,
  response: one(uploadedFile, { status: 201 }),
  run: publishFile,
});
export const OPTIONS = apiPreflight;
