import { apiPreflight } from "@/api/cors";
import { managedLicense as entity } from "@/api/entities/license";
import {
  changeManagedLicense,
  managedLicenseChange,
  managedLicenseReference,
  readManagedLicense,
  removeManagedLicense,
} from "@/api/licenses";
import { projectEndpoint } from "@/api/project-endpoint";

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
