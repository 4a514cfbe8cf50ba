import { type HookKind, type Trigger, triggersOf, type Webhook } from "../hooks/rules";

/** The submitted values of the form of a webhook. An empty token keeps the stored token. */
export type HookForm = Readonly<{
  url: string;
  name: string;
  token: string;
  branchFilter: string;
  triggers: readonly Trigger[];
}>;

export const EMPTY_FORM: HookForm = {
  url: "",
  name: "",
  token: "",
  branchFilter: "",
  triggers: [],
};

const KINDS: readonly HookKind[] = ["instance", "group", "project", "application"];

/**
 * Returns the kind of owner that a form names. For a form without a kind, the result is `instance`, because
 * actions on webhooks of the instance have the strictest requirements.
 */
export const kindIn = (form: FormData): HookKind =>
  KINDS.find((kind) => form instanceof FormData && kind === form.get("kind")) ?? "instance";

export function readHookForm(form: FormData): HookForm {
  const text = (name: string): string => String(form.get(name) ?? "").slice(0, 3_000);
  return {
    url: text("url").trim(),
    name: text("name").trim(),
    token: text("token"),
    branchFilter: text("branch_filter").trim(),
    triggers: triggersOf(kindIn(form)).filter((trigger) => form.get(trigger) === "true"),
  };
}

/**
 * Returns the values of the form for a stored webhook. The result never contains the secret token of the
 * webhook.
 */
export const formOf = ({ url, name, branchFilter, triggers }: Webhook): HookForm => ({
  ...{ url, name, branchFilter, triggers },
  token: "",
});
