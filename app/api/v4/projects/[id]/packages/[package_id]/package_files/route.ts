import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { packageFile } from "@/registries/api/entities/package";
import { listFiles, packageReference } from "@/registries/api/packages";
import { packageList } from "@/workspace/api/project-endpoint";

export const GET = packageList({
  summary: "The files of a package",
  gitlabParameters: GITLAB_PARAMETERS.package_files,
  input: packageReference,
  run: listFiles,
  entity: packageFile,
});
export const OPTIONS = apiPreflight;
