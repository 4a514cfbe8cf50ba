import { apiList } from "@/http-api/endpoint";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { personalAccessToken } from "@/oauth/api/entities/personal-access-token";
import { listTokens, tokenSearch } from "@/oauth/api/personal-access-tokens";

export const GET = apiList({
  summary: "One's own personal access tokens, the newest first; an administrator's are everybody's",
  gitlabParameters: GITLAB_PARAMETERS.personal_access_tokens,
  input: tokenSearch,
  run: listTokens,
  entity: personalAccessToken,
});
export const OPTIONS = apiPreflight;
