import { apiPreflight } from "@/api/cors";
import { licenseConversion } from "@/api/entities/license";
import { convertManagedLicenses } from "@/api/licenses";
import { projectEndpoint } from "@/api/project-endpoint";

export const POST = projectEndpoint({
  summary: "Turns the managed licenses of a project into one License Approval policy that says the same",
  role: "maintainer",
  status: 201,
  run: convertManagedLicenses,
  entity: licenseConversion,
});
export const OPTIONS = apiPreflight;
