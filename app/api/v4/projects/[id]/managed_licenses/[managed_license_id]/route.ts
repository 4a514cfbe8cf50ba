import { apiPreflight } from "@/oauth/api/cors";
import { managedLicense as entity } from "@/review/api/entities/license";
import {
  changeManagedLicense,
  managedLicenseChange,
  managedLicenseReference,
  readManagedLicense,
  removeManagedLicense,
} from "@/review/api/licenses";
import { projectEndpoint } from "@/workspace/api/project-endpoint";

export const GET = projectEndpoint({
  summary: "A license that a project allows or denies",
  role: "developer",
  input: managedLicenseReference,
  run: readManagedLicense,
  entity,
});
export const PATCH = projectEndpoint({
  summary: "Allows a license that was denied, or the other way round",
  role: "maintainer",
  input: managedLicenseChange,
  run: changeManagedLicense,
  entity,
});
export const DELETE = projectEndpoint({
  summary: "Neither allows nor denies a license any more",
  role: "maintainer",
  input: managedLicenseReference,
  run: removeManagedLicense,
  entity: null,
});
export const OPTIONS = apiPreflight;
