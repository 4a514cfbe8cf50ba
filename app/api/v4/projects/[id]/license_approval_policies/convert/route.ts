import { apiPreflight } from "@/oauth/api/cors";
import { licenseConversion } from "@/review/api/entities/license";
import { convertManagedLicenses } from "@/review/api/licenses";
import { projectEndpoint } from "@/workspace/api/project-endpoint";

export const POST = projectEndpoint({
  summary: "Turns the managed licenses of a project into one License Approval policy that says the same",
  role: "maintainer",
  status: 201,
  run: convertManagedLicenses,
  entity: licenseConversion,
});
export const OPTIONS = apiPreflight;
