import { apiPreflight } from "@/api/cors";
import { apiList } from "@/api/endpoint";
import { personalAccessToken } from "@/api/entities/personal-access-token";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { listTokens, tokenSearch } from "@/api/personal-access-tokens";

export const GET = apiList({
  summary: "One's own personal access tokens, the newest first; an administrator's are everybody's",
  gitlabParameters: GITLAB_PARAMETERS.personal_access_tokens,
  input: tokenSearch,
  run: listTokens,
  entity: personalAccessToken,
});
export const OPTIONS = apiPreflight;
