import { createApplication, listApplications, newApplication } from "@/api/applications";
import { apiPreflight } from "@/api/cors";
import { apiEndpoint, apiList } from "@/api/endpoint";
import { application, applicationWithSecret } from "@/api/entities/application";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";

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
