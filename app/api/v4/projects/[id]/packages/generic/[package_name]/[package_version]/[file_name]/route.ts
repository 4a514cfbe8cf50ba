import { apiPreflight } from "@/oauth/api/cors";
import { uploadedFile } from "@/registries/api/entities/package";
import { downloadFile, fileReference, publishFile, upload } from "@/registries/api/packages";
import { packageBytes, packageChange } from "@/workspace/api/project-endpoint";

export const GET = packageBytes({
  summary: "A file of a generic package, as it was published",
  input: fileReference,
  run: downloadFile,
});
export const PUT = packageChange({
  summary:
    "Publishes a file of a generic package; it replaces one of that name, and of simultaneous writes the last one wins",
  role: "developer",
  upload: true,
  input: upload,
  status: 201,
  run: publishFile,
  entity: uploadedFile,
});
export const OPTIONS = apiPreflight;
