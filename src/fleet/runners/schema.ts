import { readReference } from "@/kernel/http/query";
import type { RunnerPlace } from "./page-owner";

/** The values of the form for a new runner. */
export type RunnerDraft = Readonly<{
  description: string;
  /** Tags, separated by commas. */
  tags: string;
  runUntagged: boolean;
  isProtected: boolean;
  locked: boolean;
}>;

export const EMPTY_RUNNER: RunnerDraft = {
  description: "",
  tags: "",
  runUntagged: true,
  isProtected: false,
  locked: false,
};

const text = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === "string" ? value.replaceAll("\0", "").trim().slice(0, 20_000) : "";
};

export const readRunnerForm = (form: FormData): RunnerDraft => ({
  description: text(form, "description"),
  tags: text(form, "tags"),
  runUntagged: form.get("run_untagged") === "true",
  isProtected: form.get("protected") === "true",
  locked: form.get("locked") === "true",
});

/**
 * Returns the page from which a form about runners was submitted: the page of the instance, of a group, or of
 * a project.
 */
export function readPlace(form: FormData): RunnerPlace {
  const kind = form.get("kind");
  return {
    kind: kind === "group" || kind === "project" ? kind : "instance",
    id: readReference(form, "place"),
  };
}
