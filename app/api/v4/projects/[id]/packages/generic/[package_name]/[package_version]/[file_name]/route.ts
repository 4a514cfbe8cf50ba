import { apiPreflight } from "@/api/cors";
import { uploadedFile } from "@/api/entities/package";
import { downloadFile, fileReference, publishFile, upload } from "@/api/packages";
import { packageBytes, packageChange } from "@/api/project-endpoint";

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
