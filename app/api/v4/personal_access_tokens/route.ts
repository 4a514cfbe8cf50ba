import { apiPreflight } from "@/api/cors";
import { apiList } from "@/api/endpoint";
import { personalAccessToken } from "@/api/entities/personal-access-token";
import { listTokens, tokenSearch } from "@/api/personal-access-tokens";

export const GET = apiList({
  summary: "One's own personal access tokens, the newest first; an administrator's are everybody's",
  input: tokenSearch,
  run: listTokens,
  entity: personalAccessToken,
});
export const OPTIONS = apiPreflight;
