import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";
import { accessTokenRotation, rotateAccessToken } from "@/workspace/api/access-tokens";
import { newAccessToken } from "@/workspace/api/entities/access-token";

export const POST = endpoint({
  summary: "Rotate an access token of a project: revoke the token and create a new one",
  in: project({ atLeast: "maintainer" }),
  createsToken: true,
  input: accessTokenRotation,
  response: one(newAccessToken),
  run: rotateAccessToken,
});
export const OPTIONS = apiPreflight;
