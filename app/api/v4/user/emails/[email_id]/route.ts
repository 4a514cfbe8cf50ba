import { instance } from "@/http-api/access-rules";
import { none, one } from "@/http-api/responses";
import { emailReference, readOwnEmail, removeOwnEmail } from "@/identity/api/emails";
import { email } from "@/identity/api/entities/email";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "Get an e-mail address of the current user",
  in: instance(),
  scopes: ["api", "read_api", "read_user"],
  input: emailReference,
  response: one(email),
  run: readOwnEmail,
});
export const DELETE = endpoint({
  summary: "Cancel the pending e-mail address of the current user",
  in: instance(),
  input: emailReference,
  response: none(),
  run: removeOwnEmail,
});
export const OPTIONS = apiPreflight;
