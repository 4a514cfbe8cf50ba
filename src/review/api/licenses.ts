import { z } from "zod";
import { badRequest, busy, invalidParameters, notFound, unacceptable } from "@/http-api/errors";
import { flag, id, text, whole } from "@/http-api/fields";
import type { Deps } from "@/kernel/deps/deps";
import { type Page, type Paging, partOf } from "@/kernel/paging/paging";
import { type OpenViolation, openViolations } from "@/review/licenses/enforcement";
import {
  LICENSE_NAME,
  LICENSE_NAME_CHARACTERS_MAX,
  LICENSES_MAX,
  type LicensePolicy,
  type LicenseStatus,
  type ManagedLicense,
  POLICY_APPROVALS_MAX,
  POLICY_DEFAULTS,
  POLICY_DESCRIPTION_CHARACTERS_MAX,
  POLICY_NAME_CHARACTERS_MAX,
  type PolicyTerms,
} from "@/review/licenses/rules";
import * as licenses from "@/review/licenses/service";
import { refreshMergeability } from "@/review/merge-requests/merge-worker";
import type { InProject, OpenProject } from "@/workspace/api/access-rules";
import { type mergeRequestReference, requireMergeRequest } from "./merge-request";

const licenseName = text(LICENSE_NAME_CHARACTERS_MAX).min(1).regex(LICENSE_NAME);

/** The license statuses that requests may contain, including legacy names. Responses contain only the current names. */
const STATUSES = {
  allowed: "allowed",
  approved: "allowed",
  denied: "denied",
  blacklisted: "denied",
} as const;

const approvalStatus = z
  .enum(["allowed", "denied", "approved", "blacklisted"])
  .transform((word): LicenseStatus => STATUSES[word])
  .describe("allowed or denied. The legacy names approved and blacklisted are accepted.");

export const newManagedLicense = z.object({ name: licenseName, approval_status: approvalStatus });
export const managedLicenseReference = z.object({
  managed_license_id: licenseName.describe("The id or the name of the license."),
});
export const managedLicenseChange = managedLicenseReference.extend({ approval_status: approvalStatus });

type Reference = z.infer<typeof managedLicenseReference>;

export const listManagedLicenses = (
  deps: Deps,
  { project }: InProject,
  _input: object,
  paging: Paging,
): Promise<Page<ManagedLicense>> => licenses.listManagedLicenses(deps, project, paging);

/** Returns a managed license. @throws ApiError 404 if the project has no license with this id or name. */
export async function readManagedLicense(
  deps: Deps,
  { project }: InProject,
  { managed_license_id }: Reference,
): Promise<ManagedLicense> {
  const license = await licenses.findManagedLicense(deps, project, managed_license_id);
  if (license === null) throw notFound("Managed License");
  return license;
}

/** Adds a managed license. @throws ApiError 400 if the name is already in use, or the project has too many licenses. */
export async function addManagedLicense(
  deps: Deps,
  { project, user }: InProject,
  { name, approval_status }: z.infer<typeof newManagedLicense>,
): Promise<ManagedLicense> {
  const outcome = await licenses.addManagedLicense(deps, project, { name, status: approval_status }, user);
  if (outcome === "taken") throw unacceptable({ name: ["has already been taken"] });
  if (outcome === "too_many")
    throw badRequest(`A project can have at most ${LICENSES_MAX} managed licenses.`);
  return outcome;
}

/** Changes the status of a managed license. @throws ApiError 404 if the project has no such license. */
export async function changeManagedLicense(
  deps: Deps,
  context: InProject,
  { approval_status: status, ...reference }: z.infer<typeof managedLicenseChange>,
): Promise<ManagedLicense> {
  const license = await readManagedLicense(deps, context, reference);
  const change = { status, by: context.user };
  const changed = await licenses.changeManagedLicense(deps, context.project, license, change);
  if (changed === null) throw notFound("Managed License");
  return changed;
}

/** Deletes a managed license. @throws ApiError 404 if the project has no such license. */
export async function removeManagedLicense(
  deps: Deps,
  context: InProject,
  reference: Reference,
): Promise<null> {
  const license = await readManagedLicense(deps, context, reference);
  if (!(await licenses.removeManagedLicense(deps, context.project, license, context.user)))
    throw notFound("Managed License");
  return null;
}

/**
 * The schema of a list of license names: an array (`name[]=a&name[]=b`), or a text in which commas separate
 * the names.
 */
const licenseNames = z
  .union([
    z.array(licenseName).max(LICENSES_MAX),
    z
      .string()
      .max(8_192)
      .transform((list) => list.split(",").filter((name) => name.trim() !== ""))
      .pipe(z.array(licenseName).max(LICENSES_MAX)),
  ])
  .meta({ type: "array", items: { type: "string" } });

const policyName = text(POLICY_NAME_CHARACTERS_MAX).min(1);

const policyFields = {
  description: z.string().max(POLICY_DESCRIPTION_CHARACTERS_MAX).optional(),
  enabled: flag.optional(),
  allow_list: licenseNames
    .optional()
    .describe(
      "The names of allowed licenses. If this list is not empty, all licenses that are not in this list are denied.",
    ),
  deny_list: licenseNames.optional(),
  approvals_required: whole
    .pipe(z.int().max(POLICY_APPROVALS_MAX))
    .optional()
    .describe(
      "The number of approvals that permit a merge despite a violation. If the value is 0, approvals never permit a merge that violates the policy.",
    ),
};

export const newPolicy = z.object({ name: policyName, ...policyFields });
export const policyReference = z.object({ policy_id: id });
export const policyChange = policyReference.extend({ name: policyName.optional(), ...policyFields });

type PolicyInput = Omit<z.infer<typeof policyChange>, "policy_id">;

const changesFrom = (input: PolicyInput): Partial<PolicyTerms> =>
  Object.fromEntries(
    Object.entries({
      name: input.name,
      description: input.description,
      enabled: input.enabled,
      allowList: input.allow_list,
      denyList: input.deny_list,
      approvalsRequired: input.approvals_required,
    }).filter(([, value]) => value !== undefined),
  );

export const listPolicies = (
  deps: Deps,
  { project }: InProject,
  _input: object,
  paging: Paging,
): Promise<Page<LicensePolicy>> => licenses.listPolicies(deps, project, paging);

const absent = () => notFound("License Approval Policy");

/** Returns a license approval policy. @throws ApiError 404 if the project has no such policy. */
export async function readPolicy(
  deps: Deps,
  { project }: InProject,
  { policy_id }: z.infer<typeof policyReference>,
): Promise<LicensePolicy> {
  const policy = await licenses.findPolicy(deps, project, policy_id);
  if (policy === null) throw absent();
  return policy;
}

/**
 * Returns the policy in the result of an operation on a license approval policy.
 * @throws ApiError 404 if the policy does not exist, 400 if the lists of the policy are invalid.
 */
function requirePolicy(outcome: licenses.PolicyOutcome | null): LicensePolicy {
  if (outcome === null) throw absent();
  if ("problems" in outcome) throw unacceptable(outcome.problems);
  return outcome.policy;
}

export const createPolicy = async (
  deps: Deps,
  { project, user }: InProject,
  { name, ...input }: z.infer<typeof newPolicy>,
): Promise<LicensePolicy> =>
  requirePolicy(
    await licenses.createPolicy(deps, project, { ...POLICY_DEFAULTS, ...changesFrom(input), name }, user),
  );

export async function changePolicy(
  deps: Deps,
  { project, user }: InProject,
  { policy_id, ...input }: z.infer<typeof policyChange>,
): Promise<LicensePolicy> {
  const changes = changesFrom(input);
  if (Object.keys(changes).length === 0)
    throw invalidParameters([
      `name, ${Object.keys(policyFields).join(", ")} are missing, at least one parameter must be provided`,
    ]);
  return requirePolicy(await licenses.changePolicy(deps, project, policy_id, { changes, by: user }));
}

/** Deletes a license approval policy. @throws ApiError 404 if the project has no such policy. */
export async function removePolicy(
  deps: Deps,
  { project, user }: InProject,
  { policy_id }: z.infer<typeof policyReference>,
): Promise<null> {
  if (!(await licenses.removePolicy(deps, project, policy_id, user))) throw absent();
  return null;
}

/**
 * Converts the managed licenses of a project into a license approval policy.
 * @throws ApiError 400 if a list of the policy would have too many licenses, or the project would have too
 * many policies.
 */
export async function convertManagedLicenses(
  deps: Deps,
  { project, user }: InProject,
): Promise<licenses.Conversion> {
  const outcome = await licenses.convertManagedLicenses(deps, project, user);
  if ("problems" in outcome) throw unacceptable(outcome.problems);
  return outcome;
}

/**
 * Returns a page of the license policy violations of a merge request.
 * @throws ApiError 404 if the merge request does not exist, 503 if the licenses that the merge request
 * introduces have not been determined yet.
 */
export async function listViolations(
  deps: Deps,
  context: OpenProject,
  reference: z.infer<typeof mergeRequestReference>,
  paging: Paging,
): Promise<Page<OpenViolation>> {
  const mergeRequest = await refreshMergeability(deps, await requireMergeRequest(deps, context, reference));
  const violations = (await openViolations(deps, [mergeRequest])).get(mergeRequest.id) ?? [];
  if (violations === "unchecked") throw busy();
  return partOf(violations, paging);
}
