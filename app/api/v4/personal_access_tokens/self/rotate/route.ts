import { apiPreflight } from "@/api/cors";
import { apiEndpoint } from "@/api/endpoint";
import { newPersonalAccessToken } from "@/api/entities/personal-access-token";
import { ownRotation, rotateOwnToken } from "@/api/personal-access-tokens";

export const POST = apiEndpoint({
  summary: "Revokes the personal access token that the request came with, and makes another in its place",
  createsToken: true,
  input: ownRotation,
  run: rotateOwnToken,
  entity: newPersonalAccessToken,
});
export const OPTIONS = apiPreflight;
