import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { managedLicense as entity } from "@/review/api/entities/license";
import { addManagedLicense, listManagedLicenses, newManagedLicense } from "@/review/api/licenses";
import { projectEndpoint, projectList } from "@/workspace/api/project-endpoint";

export const GET = projectList({
  summary: "The licenses that a project allows or denies one by one",
  gitlabParameters: GITLAB_PARAMETERS.managed_licenses,
  role: "developer",
  run: listManagedLicenses,
  entity,
});
export const POST = projectEndpoint({
  summary: "Allows or denies a license",
  role: "maintainer",
  input: newManagedLicense,
  status: 201,
  run: addManagedLicense,
  entity,
});
export const OPTIONS = apiPreflight;
