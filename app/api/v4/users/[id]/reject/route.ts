import { administrator } from "@/http-api/access-rules";
import { one } from "@/http-api/responses";
import { success } from "@/identity/api/entities/success";
import { rejectUser, userReference } from "@/identity/api/users";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const POST = endpoint({
  summary: "Reject a registration, and delete the account",
  in: administrator(),
  input: userReference,
  response: one(success),
  run: rejectUser,
});
export const OPTIONS = apiPreflight;
