import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { group } from "@/workspace/api/access-rules";
import { ownAccessTokenRotation, rotateOwnAccessToken } from "@/workspace/api/access-tokens";
import { newAccessToken } from "@/workspace/api/entities/access-token";

export const POST = endpoint({
  summary:
    "Rotate the group access token that authenticates the request: revoke the token and create a new one",
  in: group(),
  createsToken: true,
  input: ownAccessTokenRotation,
  response: one(newAccessToken),
  run: rotateOwnAccessToken,
});
export const OPTIONS = apiPreflight;
