import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";
import {
  accessTokenSearch,
  createAccessToken,
  listAccessTokens,
  newAccessTokenInput,
} from "@/workspace/api/access-tokens";
import { accessToken, newAccessToken } from "@/workspace/api/entities/access-token";

export const GET = endpoint({
  summary: "List the access tokens of a project, newest first",
  in: project({ atLeast: "maintainer" }),
  input: accessTokenSearch,
  response: list(accessToken, { gitlabParameters: GITLAB_PARAMETERS.access_tokens }),
  run: listAccessTokens,
});
export const POST = endpoint({
  summary: "Create an access token of a project, with a bot that becomes a member",
  in: project({ atLeast: "maintainer" }),
  createsToken: true,
  input: newAccessTokenInput,
  response: one(newAccessToken, { status: 201 }),
  run: createAccessToken,
});
export const OPTIONS = apiPreflight;
