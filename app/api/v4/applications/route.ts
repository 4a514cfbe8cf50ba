import { administrator } from "@/http-api/access-rules";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list, one } from "@/http-api/responses";
import {
  applicationSearch,
  createApplication,
  listApplications,
  newApplication,
} from "@/oauth/api/applications";
import { apiPreflight } from "@/oauth/api/cors";
import { application, applicationWithSecret } from "@/oauth/api/entities/application";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary:
    "List the instance-wide applications, which administrators own, or the applications of users and groups",
  in: administrator(),
  input: applicationSearch,
  response: list(application, { gitlabParameters: GITLAB_PARAMETERS.applications }),
  run: listApplications,
});
export const POST = endpoint({
  summary: "Register an application; only this response contains the secret",
  in: administrator(),
  input: newApplication,
  example: { redirect_uri: "https://app.example.com/callback", scopes: "api" },
  response: one(applicationWithSecret, { status: 201 }),
  run: createApplication,
});
export const OPTIONS = apiPreflight;
