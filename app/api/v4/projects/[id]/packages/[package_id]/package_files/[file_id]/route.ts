import { apiPreflight } from "@/api/cors";
import { packageFileReference, removeFile } from "@/api/packages";
import { packageChange } from "@/api/project-endpoint";

export const DELETE = packageChange({
  summary: "Removes a file of a package",
  role: "maintainer",
  input: packageFileReference,
  run: removeFile,
  entity: null,
});
export const OPTIONS = apiPreflight;
