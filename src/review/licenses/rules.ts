import type { FieldErrors } from "@/workspace/naming/path";

export const LICENSE_STATUSES = ["allowed", "denied"] as const;
export type LicenseStatus = (typeof LICENSE_STATUSES)[number];

/** A license that a project allows or denies. */
export type ManagedLicense = Readonly<{ id: number; name: string; status: LicenseStatus }>;

/** What a policy says of licenses, by their names: in whatever case, denied or else allowed. */
export type LicenseLists = Readonly<{ allowList: readonly string[]; denyList: readonly string[] }>;

/** What is enforced on a merge request. `id` is null for the managed licenses, which are one policy as they stand. */
export type EnforcedPolicy = LicenseLists &
  Readonly<{ id: number | null; name: string; approvalsRequired: number }>;

/** What somebody says of a policy. */
export type PolicyTerms = Omit<EnforcedPolicy, "id"> & Readonly<{ description: string; enabled: boolean }>;

export type LicensePolicy = PolicyTerms & Readonly<{ id: number; createdAt: Date; updatedAt: Date }>;

/** No project manages more, and no list has more in it. */
export const LICENSES_MAX = 200;
export const POLICIES_MAX = 20;
/** No policy waits for more. */
export const POLICY_APPROVALS_MAX = 100;

/** What the license is called of what does not say which one it has: it can be in a list, like any other. */
export const UNKNOWN_LICENSE = "unknown";

/** The policy that managed licenses are, and become when they are converted. */
export const MANAGED_POLICY = { name: "Managed licenses", approvalsRequired: 1 } as const;

const key = (name: string): string => name.toLowerCase();

/** The names without those that differ in case alone. */
export const distinct = (names: readonly string[]): readonly string[] =>
  [...new Map(names.toReversed().map((name) => [key(name), name])).values()].toReversed();

/** Managed licenses as the lists of a policy. */
export const listsFrom = (managed: readonly Pick<ManagedLicense, "name" | "status">[]): LicenseLists => ({
  allowList: managed.filter(({ status }) => status === "allowed").map(({ name }) => name),
  denyList: managed.filter(({ status }) => status === "denied").map(({ name }) => name),
});

/** Lists with what is said later: a name is in one of them, where it was put last. */
export function withLists(before: LicenseLists, later: LicenseLists): LicenseLists {
  const said = new Set([...later.allowList, ...later.denyList].map(key));
  const kept = (names: readonly string[]) => names.filter((name) => !said.has(key(name)));
  return {
    allowList: distinct([...kept(before.allowList), ...later.allowList]),
    denyList: distinct([...kept(before.denyList), ...later.denyList]),
  };
}

/** Why lists make no policy, by their fields; null when they do. */
export function listProblems({ allowList, denyList }: LicenseLists): FieldErrors | null {
  if (allowList.length + denyList.length === 0)
    return { deny_list: ["is empty, and so is the allow list: a policy names licenses"] };
  const allowed = new Set(allowList.map(key));
  const both = denyList.filter((name) => allowed.has(key(name)));
  if (both.length > 0) return { deny_list: [`has ${both.slice(0, 5).join(", ")} of the allow list`] };
  const long = { allow_list: allowList, deny_list: denyList };
  const tooLong = Object.entries(long).filter(([, list]) => list.length > LICENSES_MAX);
  return tooLong.length === 0
    ? null
    : Object.fromEntries(tooLong.map(([field]) => [field, [`has more than ${LICENSES_MAX} names`]]));
}

/** `unreadable`: of what nobody can tell which licenses it brings in. */
export type Objection = "denied" | "not_allowed" | "unreadable";

type Names = Readonly<{ allowed: ReadonlySet<string>; denied: ReadonlySet<string> }>;
type Verdict = "accepted" | Exclude<Objection, "unreadable">;

/**
 * What lists say of a license as it is stated: a name, or several with AND, OR, WITH and parentheses (SPDX 2.3, annex
 * D). One of alternatives is enough; what is no such expression is a name as it stands.
 */
export function judgeLicense(lists: LicenseLists): (stated: string) => Verdict {
  const names = {
    allowed: new Set(lists.allowList.map(key)),
    denied: new Set(lists.denyList.map(key)),
  };
  return (stated) => judgeExpression(stated, names);
}

function judgeExpression(stated: string, names: Names): Verdict {
  // A name may have an "or" in it, and be in a list as a whole.
  if (names.denied.has(key(stated))) return "denied";
  if (names.allowed.has(key(stated))) return "accepted";
  const tokens = stated.match(/[()]|[^\s()]+/g) ?? [];
  const [verdict, end] = alternatives(tokens, 0, names);
  return verdict === null || end !== tokens.length ? judgeName(stated, names) : verdict;
}

/** What a part of an expression comes to, and where it ends; null where it is none. */
type Part = readonly [verdict: Verdict | null, end: number];

function alternatives(tokens: readonly string[], from: number, names: Names): Part {
  let [verdict, at] = conjunction(tokens, from, names);
  while (verdict !== null && isWord(tokens[at], "or")) {
    const [next, end] = conjunction(tokens, at + 1, names);
    verdict = next === null || next === "accepted" ? next : verdict;
    at = end;
  }
  return [verdict, at];
}

function conjunction(tokens: readonly string[], from: number, names: Names): Part {
  let [verdict, at] = term(tokens, from, names);
  while (verdict !== null && isWord(tokens[at], "and")) {
    const [next, end] = term(tokens, at + 1, names);
    verdict = next === null || verdict === "accepted" ? next : verdict;
    at = end;
  }
  return [verdict, at];
}

function term(tokens: readonly string[], from: number, names: Names): Part {
  if (tokens[from] === "(") {
    const [verdict, end] = alternatives(tokens, from + 1, names);
    return tokens[end] === ")" ? [verdict, end + 1] : [null, end];
  }
  let end = from;
  while (end < tokens.length && !isBoundary(tokens[end])) end += 1;
  return end === from ? [null, end] : [judgeName(tokens.slice(from, end).join(" "), names), end];
}

const isWord = (token: string | undefined, word: string): boolean => token?.toLowerCase() === word;
const isBoundary = (token: string | undefined): boolean =>
  token === "(" || token === ")" || isWord(token, "and") || isWord(token, "or");

/** A license with an exception is in a list by its whole name, or without what follows WITH. */
function judgeName(name: string, { allowed, denied }: Names): Verdict {
  const caseVariants = [key(name), key(name.replace(/\sWITH\s.*$/is, ""))];
  if (caseVariants.some((one) => denied.has(one))) return "denied";
  return allowed.size === 0 || caseVariants.some((one) => allowed.has(one)) ? "accepted" : "not_allowed";
}

/** A license that packages have. */
export type StatedLicense = Readonly<{ package: string; license: string }>;

/** A license that a merge request brings in: the first packages that have it, and how many there are. */
export type IntroducedLicense = Readonly<{ license: string; packages: readonly string[]; count: number }>;

/** All that a merge request brings in, and the lock files of which nobody can tell. */
export type IntroducedLicenses = Readonly<{
  licenses: readonly IntroducedLicense[];
  unreadable: readonly string[];
}>;

export const PACKAGES_SHOWN = 20;

/** Packages with a license that they did not have before, by their licenses; each in the order of the alphabet. */
export function licensesIntroducedBy(
  before: readonly StatedLicense[],
  after: readonly StatedLicense[],
): readonly IntroducedLicense[] {
  const known = new Set(before.map(pairOf));
  const found = new Map<string, Set<string>>();
  for (const one of after) {
    if (known.has(pairOf(one))) continue;
    found.set(one.license, (found.get(one.license) ?? new Set<string>()).add(one.package));
  }
  return [...found]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([license, packages]) => ({
      license,
      packages: [...packages].toSorted().slice(0, PACKAGES_SHOWN),
      count: packages.size,
    }));
}

const pairOf = (one: StatedLicense): string => `${one.package}\0${one.license.toLowerCase()}`;

/** What a policy has against a merge request. `license` is null for what could not be read. */
export type Violation = Readonly<{
  policy: EnforcedPolicy;
  license: string | null;
  objection: Objection;
  /** Or the paths of what could not be read. */
  packages: readonly string[];
  count: number;
}>;

/** All that policies have against what a merge request brings in. */
export const violationsOf = (
  { licenses, unreadable }: IntroducedLicenses,
  policies: readonly EnforcedPolicy[],
): readonly Violation[] =>
  policies.flatMap((policy) => {
    const judge = judgeLicense(policy);
    const found = licenses.flatMap(({ license, packages, count }): readonly Violation[] => {
      const verdict = judge(license);
      return verdict === "accepted" ? [] : [{ policy, license, objection: verdict, packages, count }];
    });
    if (unreadable.length === 0) return found;
    const [packages, count] = [unreadable, unreadable.length];
    return [...found, { policy, license: null, objection: "unreadable", packages, count }];
  });

/** How many approvals a violated policy still waits for; null: it waits for none, and nothing settles it. */
export const approvalsLeftFor = (
  { approvalsRequired }: Pick<EnforcedPolicy, "approvalsRequired">,
  approvals: number,
): number | null => (approvalsRequired === 0 ? null : Math.max(0, approvalsRequired - approvals));
