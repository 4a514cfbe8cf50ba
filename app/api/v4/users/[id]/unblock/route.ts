import { apiPreflight } from "@/api/cors";
import { apiEndpoint } from "@/api/endpoint";
import { done } from "@/api/entity";
import { unblockUser, userReference } from "@/api/users";

export const POST = apiEndpoint({
  summary: "Lets a blocked person in again",
  role: "administrator",
  input: userReference,
  status: 201,
  run: unblockUser,
  entity: done,
});
export const OPTIONS = apiPreflight;
