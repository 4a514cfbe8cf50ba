import { administrator } from "@/http-api/access-rules";
import { done } from "@/http-api/entity";
import { one } from "@/http-api/responses";
import { activateUser, userReference } from "@/identity/api/users";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const POST = endpoint({
  summary: "Activate a deactivated user",
  in: administrator(),
  input: userReference,
  response: one(done, { status: 201 }),
  run: activateUser,
});
export const OPTIONS = apiPreflight;
