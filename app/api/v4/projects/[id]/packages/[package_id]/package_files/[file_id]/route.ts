import { none } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { packagesOfMembers } from "@/registries/api/access-rules";
import { packageFileReference, removeFile } from "@/registries/api/packages";
import { endpoint } from "@/server/rest-api";

export const DELETE = endpoint({
  summary: "Delete a file of a package",
  in: packagesOfMembers({ atLeast: "maintainer" }),
  input: packageFileReference,
  response: none(),
  run: removeFile,
});
export const OPTIONS = apiPreflight;
