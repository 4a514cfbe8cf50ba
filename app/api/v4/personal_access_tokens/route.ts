import { instance } from "@/http-api/access-rules";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { personalAccessToken } from "@/oauth/api/entities/personal-access-token";
import { listTokens, tokenSearch } from "@/oauth/api/personal-access-tokens";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "List your personal access tokens, newest first; administrators can list the tokens of all users",
  in: instance(),
  input: tokenSearch,
  response: list(personalAccessToken, { gitlabParameters: GITLAB_PARAMETERS.personal_access_tokens }),
  run: listTokens,
});
export const OPTIONS = apiPreflight;
