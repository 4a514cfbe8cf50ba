import { administrator } from "@/http-api/access-rules";
import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { newPersonalAccessToken } from "@/oauth/api/entities/personal-access-token";
import { createToken, newToken } from "@/oauth/api/personal-access-tokens";
import { endpoint } from "@/server/rest-api";

export const POST = endpoint({
  summary: "Create a personal access token for a user",
  in: administrator(),
  createsToken: true,
  input: newToken,
  response: one(newPersonalAccessToken, { status: 201 }),
  run: createToken,
});
export const OPTIONS = apiPreflight;
