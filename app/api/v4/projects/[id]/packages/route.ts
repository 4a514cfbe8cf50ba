import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { publishedPackage } from "@/registries/api/entities/package";
import { listPackages, packageSearch } from "@/registries/api/packages";
import { packageList } from "@/workspace/api/project-endpoint";

export const GET = packageList({
  summary: "The packages of the project",
  gitlabParameters: GITLAB_PARAMETERS.packages,
  input: packageSearch,
  run: listPackages,
  entity: publishedPackage,
});
export const OPTIONS = apiPreflight;
