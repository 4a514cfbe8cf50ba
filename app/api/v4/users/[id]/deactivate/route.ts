import { administrator } from "@/http-api/access-rules";
import { done } from "@/http-api/entity";
import { one } from "@/http-api/responses";
import { deactivateUser, userReference } from "@/identity/api/users";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const POST = endpoint({
  summary: "Deactivate a user who has not signed in for 90 days, and end the user's sessions",
  in: administrator(),
  input: userReference,
  response: one(done, { status: 201 }),
  run: deactivateUser,
});
export const OPTIONS = apiPreflight;
