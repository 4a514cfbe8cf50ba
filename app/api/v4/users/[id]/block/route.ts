import { administrator } from "@/http-api/access-rules";
import { done } from "@/http-api/entity";
import { one } from "@/http-api/responses";
import { blockUser, userReference } from "@/identity/api/users";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const POST = endpoint({
  summary: "Block a user, end the user's sessions and revoke the user's tokens",
  in: administrator(),
  input: userReference,
  response: one(done, { status: 201 }),
  run: blockUser,
});
export const OPTIONS = apiPreflight;
