import { administrator } from "@/http-api/access-rules";
import { none, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { impersonationToken } from "@/oauth/api/entities/impersonation-token";
import { impersonationTokenReference, readToken, revokeToken } from "@/oauth/api/impersonation-tokens";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "Get an impersonation token of a user, without its value",
  in: administrator(),
  input: impersonationTokenReference,
  response: one(impersonationToken),
  run: readToken,
});
export const DELETE = endpoint({
  summary: "Revoke an impersonation token of a user",
  in: administrator(),
  input: impersonationTokenReference,
  response: none(),
  run: revokeToken,
});
export const OPTIONS = apiPreflight;
