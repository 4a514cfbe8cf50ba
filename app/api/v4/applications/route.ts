import { apiEndpoint, apiList } from "@/http-api/endpoint";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { createApplication, listApplications, newApplication } from "@/oauth/api/applications";
import { apiPreflight } from "@/oauth/api/cors";
import { application, applicationWithSecret } from "@/oauth/api/entities/application";

const role = "administrator";

export const GET = apiList({
  summary: "The applications of the instance: those that administrators own",
  gitlabParameters: GITLAB_PARAMETERS.applications,
  role,
  run: listApplications,
  entity: application,
});
export const POST = apiEndpoint({
  summary: "Registers an application, and shows its secret this once",
  role,
  input: newApplication,
  example: { redirect_uri: "https://app.example.com/callback", scopes: "api" },
  status: 201,
  run: createApplication,
  entity: applicationWithSecret,
});
export const OPTIONS = apiPreflight;
