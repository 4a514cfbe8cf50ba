import { apiPreflight } from "@/api/cors";
import { packageFile } from "@/api/entities/package";
import { listFiles, packageReference } from "@/api/packages";
import { packageList } from "@/api/project-endpoint";

export const GET = packageList({
  summary: "The files of a package",
  input: packageReference,
  run: listFiles,
  entity: packageFile,
});
export const OPTIONS = apiPreflight;
