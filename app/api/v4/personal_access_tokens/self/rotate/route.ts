import { apiEndpoint } from "@/http-api/endpoint";
import { apiPreflight } from "@/oauth/api/cors";
import { newPersonalAccessToken } from "@/oauth/api/entities/personal-access-token";
import { ownRotation, rotateOwnToken } from "@/oauth/api/personal-access-tokens";

export const POST = apiEndpoint({
  summary: "Revokes the personal access token that the request came with, and makes another in its place",
  createsToken: true,
  input: ownRotation,
  run: rotateOwnToken,
  entity: newPersonalAccessToken,
});
export const OPTIONS = apiPreflight;
