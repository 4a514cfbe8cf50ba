import { apiPreflight } from "@/oauth/api/cors";
import { packageFileReference, removeFile } from "@/registries/api/packages";
import { packageChange } from "@/workspace/api/project-endpoint";

export const DELETE = packageChange({
  summary: "Removes a file of a package",
  role: "maintainer",
  input: packageFileReference,
  run: removeFile,
  entity: null,
});
export const OPTIONS = apiPreflight;
