import { one } from "@/http-api/answers";
import { apiPreflight } from "@/oauth/api/cors";
import { licenseConversion } from "@/review/api/entities/license";
import { convertManagedLicenses } from "@/review/api/licenses";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/places";

export const POST = endpoint({
  summary: "Converts the managed licenses of a project into a license approval policy",
  in: project({ atLeast: "maintainer" }),
  answer: one(licenseConversion, { status: 201 }),
  run: convertManagedLicenses,
});
export const OPTIONS = apiPreflight;
