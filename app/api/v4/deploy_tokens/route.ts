import { administrator } from "@/http-api/access-rules";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { deployTokenSearch, listAllDeployTokens } from "@/workspace/api/deploy-tokens";
import { deployToken } from "@/workspace/api/entities/deploy-token";

export const GET = endpoint({
  summary: "List the deploy tokens of all projects and groups, newest first",
  in: administrator(),
  input: deployTokenSearch,
  response: list(deployToken, { gitlabParameters: GITLAB_PARAMETERS.deploy_tokens }),
  run: listAllDeployTokens,
});
export const OPTIONS = apiPreflight;
