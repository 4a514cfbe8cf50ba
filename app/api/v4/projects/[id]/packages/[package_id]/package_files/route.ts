import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { packages } from "@/registries/api/access-rules";
import { packageFile } from "@/registries/api/entities/package";
import { listFiles, packageReference } from "@/registries/api/packages";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "List the files of a package",
  in: packages(),
  input: packageReference,
  response: list(packageFile, { gitlabParameters: GITLAB_PARAMETERS.package_files }),
  run: listFiles,
});
export const OPTIONS = apiPreflight;
