import { instance } from "@/http-api/access-rules";
import { none, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { personalAccessToken } from "@/oauth/api/entities/personal-access-token";
import { readToken, revokeToken, tokenReference } from "@/oauth/api/personal-access-tokens";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "Get a personal access token, without its value",
  in: instance(),
  input: tokenReference,
  response: one(personalAccessToken),
  run: readToken,
});
export const DELETE = endpoint({
  summary: "Revoke a personal access token",
  in: instance(),
  input: tokenReference,
  response: none(),
  run: revokeToken,
});
export const OPTIONS = apiPreflight;
