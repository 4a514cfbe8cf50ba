import { apiPreflight } from "@/api/cors";
import { publishedPackage } from "@/api/entities/package";
import { packageReference, readPackage, removePackage } from "@/api/packages";
import { packageChange, packageEndpoint } from "@/api/project-endpoint";

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
