import { none, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { managedLicense as entity } from "@/review/api/entities/license";
import {
  changeManagedLicense,
  managedLicenseChange,
  managedLicenseReference,
  readManagedLicense,
  removeManagedLicense,
} from "@/review/api/licenses";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "Get a managed license",
  in: project({ atLeast: "developer" }),
  input: managedLicenseReference,
  response: one(entity),
  run: readManagedLicense,
});
export const PATCH = endpoint({
  summary: "Edit a managed license, to allow or deny the license",
  in: project({ atLeast: "maintainer" }),
  input: managedLicenseChange,
  response: one(entity),
  run: changeManagedLicense,
});
export const DELETE = endpoint({
  summary: "Delete a managed license",
  in: project({ atLeast: "maintainer" }),
  input: managedLicenseReference,
  response: none(),
  run: removeManagedLicense,
});
export const OPTIONS = apiPreflight;
