import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { managedLicense as entity } from "@/review/api/entities/license";
import { addManagedLicense, listManagedLicenses, newManagedLicense } from "@/review/api/licenses";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "List the managed licenses of a project",
  in: project({ atLeast: "developer" }),
  response: list(entity, { gitlabParameters: GITLAB_PARAMETERS.managed_licenses }),
  run: listManagedLicenses,
});
export const POST = endpoint({
  summary: "Create a managed license: allow or deny a license",
  in: project({ atLeast: "maintainer" }),
  input: newManagedLicense,
  response: one(entity, { status: 201 }),
  run: addManagedLicense,
});
export const OPTIONS = apiPreflight;
