import { z } from "zod";
import { APPROVALS_REQUIRED_MAX } from "./rules";

/** What of a configuration has an effect here, and so can be switched by hand. */
export const SWITCHES = [
  "resetOnPush",
  "authorApproval",
  "committersApprovalRefused",
  "passwordRequired",
] as const;
export type Switch = (typeof SWITCHES)[number];

/** PostgreSQL refuses U+0000 in every text. */
const text = z
  .string()
  .max(10_000)
  .transform((sent) => sent.replaceAll("\0", "").trim())
  .catch("");

const rule = z.object({ name: text, approvalsRequired: text, usernames: text });

/** The fields of the form of a rule; missing and malformed values are empty. */
export type RuleFormDraft = z.infer<typeof rule>;

export const readRuleForm = (sent: FormData): RuleFormDraft =>
  rule.parse(Object.fromEntries(Object.keys(rule.shape).map((name) => [name, sent.get(name)])));

/** The fields of the form of approvals. */
export type ApprovalsDraft = Readonly<{
  approvalsRequired: string;
  switches: Readonly<Record<Switch, boolean>>;
}>;

export const readApprovalsForm = (sent: FormData): ApprovalsDraft => {
  const isOn = (name: Switch): boolean => sent.get(name) === "on";
  return {
    approvalsRequired: text.parse(sent.get("approvalsRequired")),
    switches: {
      resetOnPush: isOn("resetOnPush"),
      authorApproval: isOn("authorApproval"),
      committersApprovalRefused: isOn("committersApprovalRefused"),
      passwordRequired: isOn("passwordRequired"),
    },
  };
};

/** A number of approvals as somebody typed it; null for what is none. */
export const countIn = (typed: string): number | null =>
  /^\d{1,3}$/.test(typed) && Number(typed) <= APPROVALS_REQUIRED_MAX ? Number(typed) : null;

/** Usernames, parted by spaces or commas, each once however it is written. */
export const usernamesIn = (typed: string): readonly string[] => {
  const names = typed.split(/[\s,]+/).map((word) => word.replace(/^@/, ""));
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()].filter((name) => name !== "");
};
