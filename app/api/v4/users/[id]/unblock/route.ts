import { apiEndpoint } from "@/http-api/endpoint";
import { done } from "@/http-api/entity";
import { unblockUser, userReference } from "@/identity/api/users";
import { apiPreflight } from "@/oauth/api/cors";

export const POST = apiEndpoint({
  summary: "Lets a blocked person in again",
  role: "administrator",
  input: userReference,
  status: 201,
  run: unblockUser,
  entity: done,
});
export const OPTIONS = apiPreflight;
