import { ALL_SCOPES } from "@/access/scopes";
import { instance } from "@/http-api/access-rules";
import { none, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { personalAccessToken } from "@/oauth/api/entities/personal-access-token";
import { ownPersonalToken, revokeOwnToken } from "@/oauth/api/personal-access-tokens";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "Get the personal access token that authenticates the request",
  in: instance(),
  tokens: "personal",
  scopes: ALL_SCOPES,
  response: one(personalAccessToken),
  run: ownPersonalToken,
});
export const DELETE = endpoint({
  summary: "Revoke the personal access token that authenticates the request",
  in: instance(),
  tokens: "personal",
  scopes: ALL_SCOPES,
  response: none(),
  run: revokeOwnToken,
});
export const OPTIONS = apiPreflight;
