import { instance } from "@/http-api/access-rules";
import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { newPersonalAccessToken } from "@/oauth/api/entities/personal-access-token";
import { ownRotation, rotateOwnToken } from "@/oauth/api/personal-access-tokens";
import { endpoint } from "@/server/rest-api";

export const POST = endpoint({
  summary:
    "Rotate the personal access token that authenticates the request: revoke the token and create a new one",
  in: instance(),
  createsToken: true,
  input: ownRotation,
  response: one(newPersonalAccessToken),
  run: rotateOwnToken,
});
export const OPTIONS = apiPreflight;
