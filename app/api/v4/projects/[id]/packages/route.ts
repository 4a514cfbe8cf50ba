import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { packages } from "@/registries/api/access-rules";
import { publishedPackage } from "@/registries/api/entities/package";
import { listPackages, packageSearch } from "@/registries/api/packages";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "List the packages of a project",
  in: packages(),
  input: packageSearch,
  response: list(publishedPackage, { gitlabParameters: GITLAB_PARAMETERS.packages }),
  run: listPackages,
});
export const OPTIONS = apiPreflight;
