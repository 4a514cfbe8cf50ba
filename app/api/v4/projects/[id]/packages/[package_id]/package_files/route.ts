import { apiPreflight } from "@/api/cors";
import { packageFile } from "@/api/entities/package";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { listFiles, packageReference } from "@/api/packages";
import { packageList } from "@/api/project-endpoint";

export const GET = packageList({
  summary: "The files of a package",
  gitlabParameters: GITLAB_PARAMETERS.package_files,
  input: packageReference,
  run: listFiles,
  entity: packageFile,
});
export const OPTIONS = apiPreflight;
