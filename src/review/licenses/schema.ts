import { z } from "zod";
import {
  distinct,
  type IntroducedLicenses,
  LICENSE_NAME,
  LICENSE_NAME_CHARACTERS_MAX,
  POLICY_APPROVALS_MAX,
  POLICY_DESCRIPTION_CHARACTERS_MAX,
  POLICY_NAME_CHARACTERS_MAX,
  type PolicyTerms,
} from "./rules";

const names = z.array(z.string()).catch([]);

/** Parses a list of license names that is stored as JSON. */
export const readNames = (json: string): readonly string[] => names.parse(JSON.parse(json));

const licenses = z.array(z.object({ license: z.string(), packages: z.array(z.string()), count: z.int() }));
const paths = z.array(z.string());

/**
 * Parses the stored licenses of a merge request.
 * @returns null if another version of Gatehouse stored the licenses in a different format.
 */
export function readIntroducedLicenses(
  stored: Readonly<{ licenses: string; unreadable: string }>,
): IntroducedLicenses | null {
  const stated = licenses.safeParse(JSON.parse(stored.licenses));
  const unreadable = paths.safeParse(JSON.parse(stored.unreadable));
  if (!stated.success || !unreadable.success) return null;
  return { licenses: stated.data, unreadable: unreadable.data };
}

/**
 * The maximum length of a license list in the form. A list of this length can contain the maximum number of
 * long license names.
 */
const FIELD_CHARACTERS_MAX = 60_000;

/** U+0000 is removed, because PostgreSQL refuses this character in text. */
const entered = z
  .string()
  .max(FIELD_CHARACTERS_MAX)
  .transform((value) => value.replaceAll("\0", "").trim())
  .catch("");

const texts = z.object({
  name: entered,
  description: entered,
  allowList: entered,
  denyList: entered,
  approvalsRequired: entered,
});

/**
 * The values of the license policy form. For a missing or invalid form field, the value is an empty string.
 */
export type PolicyDraft = Readonly<z.infer<typeof texts> & { enabled: boolean }>;

export const readPolicyForm = (formData: FormData): PolicyDraft => ({
  ...texts.parse(Object.fromEntries(Object.keys(texts.shape).map((name) => [name, formData.get(name)]))),
  enabled: formData.get("enabled") === "on",
});

/** The error texts of the license policy form, with the form field as key. */
export type PolicyProblems = Readonly<Partial<Record<keyof PolicyDraft, readonly string[]>>>;

/** Returns the license names in a form field that contains one name in each line. */
const namesIn = (field: string): readonly string[] =>
  distinct(
    field
      .split(/[\r\n]+/)
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  );

/**
 * Returns the policy that a submitted form describes, or the error texts with the form field as key.
 * @param stored the license names in the lists of the edited policy, which may contain commas because the API
 * accepts such names. The form refuses a new name with a comma, because such a text is usually a list of
 * several names.
 */
export function policyTermsFrom(
  draft: PolicyDraft,
  stored: readonly string[] = [],
): PolicyTerms | Readonly<{ problems: PolicyProblems }> {
  const { name, description, enabled } = draft;
  const lists = { allowList: namesIn(draft.allowList), denyList: namesIn(draft.denyList) };
  const approvalsRequired = /^\d{1,3}$/.test(draft.approvalsRequired) ? Number(draft.approvalsRequired) : -1;
  const problemsOfName = (license: string): readonly string[] => {
    if (license.includes(",") && !stored.includes(license))
      return [`Write each license on its own line: ${license}`];
    if (license.length > LICENSE_NAME_CHARACTERS_MAX)
      return [`Use at most ${LICENSE_NAME_CHARACTERS_MAX} characters for the name of a license.`];
    return LICENSE_NAME.test(license) ? [] : ["Remove control characters from the names of licenses."];
  };
  const problems: Record<keyof PolicyDraft, readonly string[]> = {
    name:
      name === ""
        ? ["Enter a name."]
        : name.length > POLICY_NAME_CHARACTERS_MAX
          ? [`Use at most ${POLICY_NAME_CHARACTERS_MAX} characters.`]
          : [],
    description:
      description.length > POLICY_DESCRIPTION_CHARACTERS_MAX
        ? [`Use at most ${POLICY_DESCRIPTION_CHARACTERS_MAX} characters.`]
        : [],
    allowList: lists.allowList.flatMap(problemsOfName).slice(0, 1),
    denyList: lists.denyList.flatMap(problemsOfName).slice(0, 1),
    approvalsRequired:
      approvalsRequired >= 0 && approvalsRequired <= POLICY_APPROVALS_MAX
        ? []
        : [`Enter a whole number from 0 to ${POLICY_APPROVALS_MAX}.`],
    enabled: [],
  };
  const present = Object.entries(problems).filter(([, list]) => list.length > 0);
  if (present.length > 0) return { problems: Object.fromEntries(present) };
  return { name, description, enabled, approvalsRequired, ...lists };
}

/** Returns the values of the form that edits a license policy. */
export const policyDraftOf = (policy: PolicyTerms): PolicyDraft => ({
  name: policy.name,
  description: policy.description,
  enabled: policy.enabled,
  allowList: policy.allowList.join("\n"),
  denyList: policy.denyList.join("\n"),
  approvalsRequired: String(policy.approvalsRequired),
});
