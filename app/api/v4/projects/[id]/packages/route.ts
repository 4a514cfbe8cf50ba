import { apiPreflight } from "@/api/cors";
import { publishedPackage } from "@/api/entities/package";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { listPackages, packageSearch } from "@/api/packages";
import { packageList } from "@/api/project-endpoint";

export const GET = packageList({
  summary: "The packages of the project",
  gitlabParameters: GITLAB_PARAMETERS.packages,
  input: packageSearch,
  run: listPackages,
  entity: publishedPackage,
});
export const OPTIONS = apiPreflight;
