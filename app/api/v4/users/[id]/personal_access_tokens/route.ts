import { apiEndpoint } from "@/http-api/endpoint";
import { apiPreflight } from "@/oauth/api/cors";
import { newPersonalAccessToken } from "@/oauth/api/entities/personal-access-token";
import { createToken, newToken } from "@/oauth/api/personal-access-tokens";

export const POST = apiEndpoint({
  summary: "Makes a personal access token for a person",
  role: "administrator",
  createsToken: true,
  input: newToken,
  status: 201,
  run: createToken,
  entity: newPersonalAccessToken,
});
export const OPTIONS = apiPreflight;
