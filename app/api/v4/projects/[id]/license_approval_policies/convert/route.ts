import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { licenseConversion } from "@/review/api/entities/license";
import { convertManagedLicenses } from "@/review/api/licenses";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";

export const POST = endpoint({
  summary: "Convert the managed licenses of a project into an equivalent License Approval policy",
  in: project({ atLeast: "maintainer" }),
  response: one(licenseConversion, { status: 201 }),
  run: convertManagedLicenses,
});
export const OPTIONS = apiPreflight;
