import { instance } from "@/http-api/access-rules";
import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { newPersonalAccessToken } from "@/oauth/api/entities/personal-access-token";
import { rotateToken, rotation } from "@/oauth/api/personal-access-tokens";
import { endpoint } from "@/server/rest-api";

export const POST = endpoint({
  summary: "Rotate a personal access token: revoke the token and create a new one",
  in: instance(),
  createsToken: true,
  input: rotation,
  response: one(newPersonalAccessToken),
  run: rotateToken,
});
export const OPTIONS = apiPreflight;
