import { administrator } from "@/http-api/access-rules";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list, one } from "@/http-api/responses";
import { addEmailOfUser, listEmailsOfUser, newEmailOfUser, userOfEmails } from "@/identity/api/emails";
import { email } from "@/identity/api/entities/email";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "List the confirmed and the pending e-mail address of a user",
  in: administrator(),
  input: userOfEmails,
  response: list(email, { gitlabParameters: GITLAB_PARAMETERS.emails, pagedBy: "number" }),
  run: listEmailsOfUser,
});
export const POST = endpoint({
  summary: "Add a pending or a confirmed e-mail address of a user",
  in: administrator(),
  input: newEmailOfUser,
  example: { email: "another@example.com" },
  response: one(email, { status: 201 }),
  run: addEmailOfUser,
});
export const OPTIONS = apiPreflight;
