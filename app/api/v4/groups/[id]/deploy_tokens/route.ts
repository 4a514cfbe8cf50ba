import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { group } from "@/workspace/api/access-rules";
import {
  createDeployToken,
  deployTokenSearch,
  listDeployTokens,
  newDeployTokenInput,
} from "@/workspace/api/deploy-tokens";
import { deployToken, newDeployToken } from "@/workspace/api/entities/deploy-token";

export const GET = endpoint({
  summary: "List the deploy tokens of a group, newest first",
  in: group({ atLeast: "owner" }),
  input: deployTokenSearch,
  response: list(deployToken, { gitlabParameters: GITLAB_PARAMETERS.deploy_tokens }),
  run: listDeployTokens,
});
export const POST = endpoint({
  summary: "Create a deploy token of a group",
  in: group({ atLeast: "owner" }),
  createsToken: true,
  input: newDeployTokenInput,
  example: { name: "Deploy", scopes: "read_repository", expires_at: "2037-01-01" },
  response: one(newDeployToken, { status: 201 }),
  run: createDeployToken,
});
export const OPTIONS = apiPreflight;
