import { ALL_SCOPES } from "@/access/scopes";
import { apiEndpoint } from "@/http-api/endpoint";
import { apiPreflight } from "@/oauth/api/cors";
import { personalAccessToken } from "@/oauth/api/entities/personal-access-token";
import { ownPersonalToken, revokeOwnToken } from "@/oauth/api/personal-access-tokens";

export const GET = apiEndpoint({
  summary: "The personal access token that the request came with",
  tokens: "personal",
  scopes: ALL_SCOPES,
  run: ownPersonalToken,
  entity: personalAccessToken,
});
export const DELETE = apiEndpoint({
  summary: "Revokes the personal access token that the request came with",
  tokens: "personal",
  scopes: ALL_SCOPES,
  run: revokeOwnToken,
  entity: null,
});
export const OPTIONS = apiPreflight;
