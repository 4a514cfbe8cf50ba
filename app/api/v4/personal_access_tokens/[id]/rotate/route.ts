import { apiPreflight } from "@/api/cors";
import { apiEndpoint } from "@/api/endpoint";
import { newPersonalAccessToken } from "@/api/entities/personal-access-token";
import { rotateToken, rotation } from "@/api/personal-access-tokens";

export const POST = apiEndpoint({
  summary: "Revokes a personal access token and makes another in its place",
  createsToken: true,
  input: rotation,
  run: rotateToken,
  entity: newPersonalAccessToken,
});
export const OPTIONS = apiPreflight;
