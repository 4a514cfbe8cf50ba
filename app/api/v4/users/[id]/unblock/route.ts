import { administrator } from "@/http-api/access-rules";
import { done } from "@/http-api/entity";
import { one } from "@/http-api/responses";
import { unblockUser, userReference } from "@/identity/api/users";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const POST = endpoint({
  summary: "Unblock a user",
  in: administrator(),
  input: userReference,
  response: one(done, { status: 201 }),
  run: unblockUser,
});
export const OPTIONS = apiPreflight;
