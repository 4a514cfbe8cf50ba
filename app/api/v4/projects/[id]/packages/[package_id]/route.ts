import { apiPreflight } from "@/oauth/api/cors";
import { publishedPackage } from "@/registries/api/entities/package";
import { packageReference, readPackage, removePackage } from "@/registries/api/packages";
import { packageChange, packageEndpoint } from "@/workspace/api/project-endpoint";

export const GET = packageEndpoint({
  summary: "A package",
  input: packageReference,
  run: readPackage,
  entity: publishedPackage,
});
export const DELETE = packageChange({
  summary: "Removes a package with its files",
  role: "maintainer",
  input: packageReference,
  run: removePackage,
  entity: null,
});
export const OPTIONS = apiPreflight;
