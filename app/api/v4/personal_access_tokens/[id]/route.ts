import { apiEndpoint } from "@/http-api/endpoint";
import { apiPreflight } from "@/oauth/api/cors";
import { personalAccessToken } from "@/oauth/api/entities/personal-access-token";
import { readToken, revokeToken, tokenReference } from "@/oauth/api/personal-access-tokens";

export const GET = apiEndpoint({
  summary: "A personal access token, without its value",
  input: tokenReference,
  run: readToken,
  entity: personalAccessToken,
});
export const DELETE = apiEndpoint({
  summary: "Revokes a personal access token",
  input: tokenReference,
  run: revokeToken,
  entity: null,
});
export const OPTIONS = apiPreflight;
