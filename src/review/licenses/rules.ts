import type { FieldErrors } from "@/workspace/naming/path";

export const LICENSE_STATUSES = ["allowed", "denied"] as const;
export type LicenseStatus = (typeof LICENSE_STATUSES)[number];

/** A license that a project allows or denies. */
export type ManagedLicense = Readonly<{ id: number; name: string; status: LicenseStatus }>;

/**
 * The license names of a policy, which match regardless of letter case. A denied name takes precedence over
 * an allowed name.
 */
export type LicenseLists = Readonly<{ allowList: readonly string[]; denyList: readonly string[] }>;

/**
 * A policy that is enforced on merge requests. The managed licenses of a project have the effect of one
 * policy, whose `id` is null.
 */
export type EnforcedPolicy = LicenseLists &
  Readonly<{ id: number | null; name: string; approvalsRequired: number }>;

/** Those fields of a policy that users edit. */
export type PolicyTerms = Omit<EnforcedPolicy, "id"> & Readonly<{ description: string; enabled: boolean }>;

export type LicensePolicy = PolicyTerms & Readonly<{ id: number; createdAt: Date; updatedAt: Date }>;

/**
 * The maximum number of managed licenses in a project, and the maximum number of names in each list of a
 * policy.
 */
export const LICENSES_MAX = 200;
export const POLICIES_MAX = 20;
/** The maximum number of approvals that a policy can require. */
export const POLICY_APPROVALS_MAX = 100;

export const LICENSE_NAME_CHARACTERS_MAX = 255;
export const POLICY_NAME_CHARACTERS_MAX = 255;
export const POLICY_DESCRIPTION_CHARACTERS_MAX = 10_000;

/** A license name is a single line of text, usually an SPDX identifier. */
export const LICENSE_NAME = /^\P{Cc}+$/u;

/** The default values for the fields of a new policy that the request does not set. */
export const POLICY_DEFAULTS = {
  description: "",
  enabled: true,
  allowList: [],
  denyList: [],
  approvalsRequired: 0,
} as const;

/**
 * The license name of packages that state no license. The lists of a policy can contain this name
 * (`unknown`).
 */
export const UNKNOWN_LICENSE = "unknown";

/**
 * The name and the number of required approvals of the policy that enforces the managed licenses of a
 * project. A conversion of managed licenses creates a policy with this name and this number of required
 * approvals.
 */
export const MANAGED_POLICY = { name: "Managed licenses", approvalsRequired: 1 } as const;

const key = (name: string): string => name.toLowerCase();

/** Returns the license names without duplicates. Names that differ only in letter case are duplicates. */
export const distinct = (names: readonly string[]): readonly string[] =>
  [...new Map(names.toReversed().map((name) => [key(name), name])).values()].toReversed();

/** Converts managed licenses to the lists of allowed and denied licenses of a policy. */
export const listsFrom = (managed: readonly Pick<ManagedLicense, "name" | "status">[]): LicenseLists => ({
  allowList: managed.filter(({ status }) => status === "allowed").map(({ name }) => name),
  denyList: managed.filter(({ status }) => status === "denied").map(({ name }) => name),
});

/**
 * Merges the license lists of two policies. If a list of `later` contains a license name, this name is
 * removed from the lists of `before`.
 */
export function withLists(before: LicenseLists, later: LicenseLists): LicenseLists {
  const added = new Set([...later.allowList, ...later.denyList].map(key));
  const remaining = (names: readonly string[]) => names.filter((name) => !added.has(key(name)));
  return {
    allowList: distinct([...remaining(before.allowList), ...later.allowList]),
    denyList: distinct([...remaining(before.denyList), ...later.denyList]),
  };
}

/** Returns the validation errors of a policy's lists by field, or null. */
export function listProblems({ allowList, denyList }: LicenseLists): FieldErrors | null {
  if (allowList.length + denyList.length === 0)
    return { deny_list: ["and the allow list cannot both be empty"] };
  const allowed = new Set(allowList.map(key));
  const both = denyList.filter((name) => allowed.has(key(name)));
  if (both.length > 0)
    return { deny_list: [`contains licenses of the allow list: ${both.slice(0, 5).join(", ")}`] };
  const byField = { allow_list: allowList, deny_list: denyList };
  const tooLong = Object.entries(byField).filter(([, list]) => list.length > LICENSES_MAX);
  return tooLong.length === 0
    ? null
    : Object.fromEntries(
        tooLong.map(([field]) => [field, [`is too long (maximum is ${LICENSES_MAX} licenses)`]]),
      );
}

/** The reason why a license violates a policy. `unreadable` means that a lock file could not be read. */
export type Objection = "denied" | "not_allowed" | "unreadable";

type Names = Readonly<{ allowed: ReadonlySet<string>; denied: ReadonlySet<string> }>;
type Evaluation = "accepted" | Exclude<Objection, "unreadable">;

/**
 * Returns a function that checks whether the lists of a policy permit a license expression (SPDX 2.3, annex
 * D: AND, OR, WITH and parentheses). An expression with OR is permitted if one of the alternatives is
 * permitted. Text that is not an expression is treated as a license name.
 */
export function evaluateLicense(lists: LicenseLists): (stated: string) => Evaluation {
  const names = {
    allowed: new Set(lists.allowList.map(key)),
    denied: new Set(lists.denyList.map(key)),
  };
  return (stated) => evaluateExpression(stated, names);
}

function evaluateExpression(stated: string, names: Names): Evaluation {
  // The whole license expression is first looked up as a license name, because a license name may contain the
  // word "or".
  if (names.denied.has(key(stated))) return "denied";
  if (names.allowed.has(key(stated))) return "accepted";
  const tokens = stated.match(/[()]|[^\s()]+/g) ?? [];
  const [evaluation, end] = alternatives(tokens, 0, names);
  return evaluation === null || end !== tokens.length ? evaluateName(stated, names) : evaluation;
}

/**
 * The result of the evaluation of one part of a license expression, and the index of the first token after
 * this part. `evaluation` is null for a syntax error.
 */
type Part = readonly [evaluation: Evaluation | null, end: number];

function alternatives(tokens: readonly string[], from: number, names: Names): Part {
  let [evaluation, at] = conjunction(tokens, from, names);
  while (evaluation !== null && isWord(tokens[at], "or")) {
    const [next, end] = conjunction(tokens, at + 1, names);
    evaluation = next === null || next === "accepted" ? next : evaluation;
    at = end;
  }
  return [evaluation, at];
}

function conjunction(tokens: readonly string[], from: number, names: Names): Part {
  let [evaluation, at] = term(tokens, from, names);
  while (evaluation !== null && isWord(tokens[at], "and")) {
    const [next, end] = term(tokens, at + 1, names);
    evaluation = next === null || evaluation === "accepted" ? next : evaluation;
    at = end;
  }
  return [evaluation, at];
}

function term(tokens: readonly string[], from: number, names: Names): Part {
  if (tokens[from] === "(") {
    const [evaluation, end] = alternatives(tokens, from + 1, names);
    return tokens[end] === ")" ? [evaluation, end + 1] : [null, end];
  }
  let end = from;
  while (end < tokens.length && !isBoundary(tokens[end])) end += 1;
  return end === from ? [null, end] : [evaluateName(tokens.slice(from, end).join(" "), names), end];
}

const isWord = (token: string | undefined, word: string): boolean => token?.toLowerCase() === word;
const isBoundary = (token: string | undefined): boolean =>
  token === "(" || token === ")" || isWord(token, "and") || isWord(token, "or");

/**
 * Evaluates a license name. A license name with an exception (`NAME WITH EXCEPTION`) matches a list that
 * contains the whole name or the part before WITH.
 */
function evaluateName(name: string, { allowed, denied }: Names): Evaluation {
  const caseVariants = [key(name), key(name.replace(/\sWITH\s.*$/is, ""))];
  if (caseVariants.some((variant) => denied.has(variant))) return "denied";
  return allowed.size === 0 || caseVariants.some((variant) => allowed.has(variant))
    ? "accepted"
    : "not_allowed";
}

/** The license that a package states. */
export type StatedLicense = Readonly<{ package: string; license: string }>;

/**
 * A license that a merge request introduces: the names of the first packages with this license, and the
 * number of all packages with this license.
 */
export type IntroducedLicense = Readonly<{ license: string; packages: readonly string[]; count: number }>;

/** The licenses that a merge request introduces, and the paths of lock files that could not be read. */
export type IntroducedLicenses = Readonly<{
  licenses: readonly IntroducedLicense[];
  unreadable: readonly string[];
}>;

export const PACKAGES_SHOWN = 20;

/**
 * Returns the licenses that packages have in `after` but not in `before`, in alphabetical order, each with
 * the names of these packages.
 */
export function licensesIntroducedBy(
  before: readonly StatedLicense[],
  after: readonly StatedLicense[],
): readonly IntroducedLicense[] {
  const previous = new Set(before.map(pairOf));
  const packagesOf = new Map<string, Set<string>>();
  for (const stated of after) {
    if (previous.has(pairOf(stated))) continue;
    packagesOf.set(stated.license, (packagesOf.get(stated.license) ?? new Set<string>()).add(stated.package));
  }
  return [...packagesOf]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([license, packages]) => ({
      license,
      packages: [...packages].toSorted().slice(0, PACKAGES_SHOWN),
      count: packages.size,
    }));
}

const pairOf = (stated: StatedLicense): string => `${stated.package}\0${stated.license.toLowerCase()}`;

/** A violation of a license policy by a merge request. `license` is null if lock files are unreadable. */
export type Violation = Readonly<{
  policy: EnforcedPolicy;
  license: string | null;
  objection: Objection;
  /** The names of packages, or the paths of unreadable lock files. */
  packages: readonly string[];
  count: number;
}>;

/** Returns the violations of policies by the licenses that a merge request introduces. */
export const violationsOf = (
  { licenses, unreadable }: IntroducedLicenses,
  policies: readonly EnforcedPolicy[],
): readonly Violation[] =>
  policies.flatMap((policy) => {
    const evaluate = evaluateLicense(policy);
    const violations = licenses.flatMap(({ license, packages, count }): readonly Violation[] => {
      const evaluation = evaluate(license);
      return evaluation === "accepted" ? [] : [{ policy, license, objection: evaluation, packages, count }];
    });
    if (unreadable.length === 0) return violations;
    const [packages, count] = [unreadable, unreadable.length];
    return [...violations, { policy, license: null, objection: "unreadable", packages, count }];
  });

/** Returns the number of missing approvals of a violated policy; null if approvals cannot permit the merge. */
export const approvalsLeftFor = (
  { approvalsRequired }: Pick<EnforcedPolicy, "approvalsRequired">,
  approvals: number,
): number | null => (approvalsRequired === 0 ? null : Math.max(0, approvalsRequired - approvals));
