import { apiPreflight } from "@/api/cors";
import { apiEndpoint } from "@/api/endpoint";
import { done } from "@/api/entity";
import { blockUser, userReference } from "@/api/users";

export const POST = apiEndpoint({
  summary: "Blocks a person: their sessions end, their tokens stop",
  role: "administrator",
  input: userReference,
  status: 201,
  run: blockUser,
  entity: done,
});
export const OPTIONS = apiPreflight;
