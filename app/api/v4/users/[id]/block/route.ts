import { apiEndpoint } from "@/http-api/endpoint";
import { done } from "@/http-api/entity";
import { blockUser, userReference } from "@/identity/api/users";
import { apiPreflight } from "@/oauth/api/cors";

export const POST = apiEndpoint({
  summary: "Blocks a person: their sessions end, their tokens stop",
  role: "administrator",
  input: userReference,
  status: 201,
  run: blockUser,
  entity: done,
});
export const OPTIONS = apiPreflight;
