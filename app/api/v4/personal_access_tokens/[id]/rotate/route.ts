import { apiEndpoint } from "@/http-api/endpoint";
import { apiPreflight } from "@/oauth/api/cors";
import { newPersonalAccessToken } from "@/oauth/api/entities/personal-access-token";
import { rotateToken, rotation } from "@/oauth/api/personal-access-tokens";

export const POST = apiEndpoint({
  summary: "Revokes a personal access token and makes another in its place",
  createsToken: true,
  input: rotation,
  run: rotateToken,
  entity: newPersonalAccessToken,
});
export const OPTIONS = apiPreflight;
