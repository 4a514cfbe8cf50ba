import { apiPreflight } from "@/api/cors";
import { apiEndpoint } from "@/api/endpoint";
import { personalAccessToken } from "@/api/entities/personal-access-token";
import { readToken, revokeToken, tokenReference } from "@/api/personal-access-tokens";

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
