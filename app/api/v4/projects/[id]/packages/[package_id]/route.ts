import { none, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { packages, packagesOfMembers } from "@/registries/api/access-rules";
import { publishedPackage } from "@/registries/api/entities/package";
import { packageReference, readPackage, removePackage } from "@/registries/api/packages";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "Get a package",
  in: packages(),
  input: packageReference,
  response: one(publishedPackage),
  run: readPackage,
});
export const DELETE = endpoint({
  summary: "Delete a package and its files",
  in: packagesOfMembers({ atLeast: "maintainer" }),
  input: packageReference,
  response: none(),
  run: removePackage,
});
export const OPTIONS = apiPreflight;
