import { none, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { group } from "@/workspace/api/access-rules";
import { accessTokenReference, readAccessToken, revokeAccessToken } from "@/workspace/api/access-tokens";
import { accessToken } from "@/workspace/api/entities/access-token";

export const GET = endpoint({
  summary: "Get an access token of a group, without its value",
  in: group({ atLeast: "owner" }),
  input: accessTokenReference,
  response: one(accessToken),
  run: readAccessToken,
});
export const DELETE = endpoint({
  summary: "Revoke an access token of a group, and remove its bot from the members",
  in: group({ atLeast: "owner" }),
  input: accessTokenReference,
  response: none(),
  run: revokeAccessToken,
});
export const OPTIONS = apiPreflight;
