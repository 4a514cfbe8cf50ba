import { z } from "zod";
import { APPROVALS_REQUIRED_MAX, type Switch } from "./rules";

/** U+0000 is removed, because PostgreSQL refuses this character in text. */
const text = z
  .string()
  .max(10_000)
  .transform((value) => value.replaceAll("\0", "").trim())
  .catch("");

const rule = z.object({ name: text, approvalsRequired: text, usernames: text });

/**
 * The values of the approval rule form. For a missing or invalid form field, the value is an empty string.
 */
export type RuleFormDraft = z.infer<typeof rule>;

export const readRuleForm = (formData: FormData): RuleFormDraft =>
  rule.parse(Object.fromEntries(Object.keys(rule.shape).map((name) => [name, formData.get(name)])));

/** The values of the form with the approval settings. */
export type ApprovalsDraft = Readonly<{
  approvalsRequired: string;
  switches: Readonly<Record<Switch, boolean>>;
}>;

export const readApprovalsForm = (formData: FormData): ApprovalsDraft => {
  const isOn = (name: Switch): boolean => formData.get(name) === "on";
  return {
    approvalsRequired: text.parse(formData.get("approvalsRequired")),
    switches: {
      resetOnPush: isOn("resetOnPush"),
      authorApproval: isOn("authorApproval"),
      committersApprovalRefused: isOn("committersApprovalRefused"),
      passwordRequired: isOn("passwordRequired"),
    },
  };
};

/**
 * Returns the number of approvals in a form field; null if the form field does not contain a whole number in
 * the allowed range.
 */
export const countIn = (typed: string): number | null =>
  /^\d{1,3}$/.test(typed) && Number(typed) <= APPROVALS_REQUIRED_MAX ? Number(typed) : null;

/**
 * Returns the usernames in a form field. Spaces or commas separate the usernames. Usernames that differ only
 * in letter case are duplicates, which are removed.
 */
export const usernamesIn = (typed: string): readonly string[] => {
  const names = typed.split(/[\s,]+/).map((word) => word.replace(/^@/, ""));
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()].filter((name) => name !== "");
};
