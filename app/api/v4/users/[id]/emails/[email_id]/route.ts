import { administrator } from "@/http-api/access-rules";
import { none } from "@/http-api/responses";
import { emailOfUser, removeEmailOfUser } from "@/identity/api/emails";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const DELETE = endpoint({
  summary: "Cancel the pending e-mail address of a user",
  in: administrator(),
  input: emailOfUser,
  response: none(),
  run: removeEmailOfUser,
});
export const OPTIONS = apiPreflight;
