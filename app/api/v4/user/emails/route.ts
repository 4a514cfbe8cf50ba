import { instance } from "@/http-api/access-rules";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list, one } from "@/http-api/responses";
import { addOwnEmail, listOwnEmails, newOwnEmail } from "@/identity/api/emails";
import { email } from "@/identity/api/entities/email";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "List the confirmed and the pending e-mail address of the current user",
  in: instance(),
  scopes: ["api", "read_api", "read_user"],
  response: list(email, { gitlabParameters: GITLAB_PARAMETERS.emails, pagedBy: "number" }),
  run: listOwnEmails,
});
export const POST = endpoint({
  summary:
    "Request a new e-mail address, which replaces the current e-mail address after the user confirms the new one",
  in: instance(),
  input: newOwnEmail,
  example: { email: "another@example.com", current_password: "correct horse battery" },
  response: one(email, { status: 201 }),
  run: addOwnEmail,
});
export const OPTIONS = apiPreflight;
