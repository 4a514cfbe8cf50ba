import { apiPreflight } from "@/api/cors";
import { apiEndpoint } from "@/api/endpoint";
import { newPersonalAccessToken } from "@/api/entities/personal-access-token";
import { createToken, newToken } from "@/api/personal-access-tokens";

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
