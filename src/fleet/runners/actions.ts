"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { reauthenticatedAction, reauthenticatedFormAction } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { readId, readReference } from "@/kernel/http/query";
import { setFlash } from "@/ui/appearance/flash";
import type { FieldErrors } from "@/workspace/naming/path";
import { requireRunnerManager, runnersPath } from "./page-owner";
import { type RunnerDraft, readPlace, readRunnerForm } from "./schema";
import * as runners from "./service";

/**
 * The state of the form for a new runner: the form values with the errors of the fields, or the token of the
 * new runner.
 */
export type RunnerFormState =
  | Readonly<{ kind: "editing"; draft: RunnerDraft; problems: FieldErrors }>
  | Readonly<{ kind: "created"; token: string }>;

const urlOf = (form: FormData): string => runnersPath(readPlace(form));

export const createRunner = reauthenticatedFormAction<RunnerFormState>(
  (form) => `${urlOf(form)}/new`,
  async ({ user }, form) => {
    const { owner, url } = await requireRunnerManager(readPlace(form), "/new");
    const draft = readRunnerForm(form);
    const outcome = await runners.createRunner(systemDeps(), user, owner, {
      description: draft.description,
      tags: draft.tags.split(","),
      runUntagged: draft.runUntagged,
      accessLevel: draft.isProtected ? "ref_protected" : "not_protected",
      locked: draft.locked,
    });
    if (outcome === "not_allowed") redirect(url);
    if ("problems" in outcome) return { kind: "editing", draft, problems: outcome.problems };
    return { kind: "created", token: outcome.token };
  },
);

const REFUSALS = {
  unknown: "This runner no longer exists.",
  no_access: "You no longer have permission to manage this runner.",
  many_projects: "Several projects use this runner. Only an administrator can delete this runner.",
} as const;

/** Pauses or resumes a runner. */
export const pauseRunner = reauthenticatedAction(urlOf, async ({ user }, form) => {
  const { url } = await requireRunnerManager(readPlace(form));
  const paused = form.get("paused") === "true";
  const outcome = await runners.updateRunner(systemDeps(), user, idIn(form), { paused });
  const done = paused
    ? "The runner is paused and receives no new jobs."
    : "The runner is resumed and receives jobs again.";
  if (typeof outcome !== "string" && "problems" in outcome) await setFlash("The runner was not changed.");
  else await setFlash(typeof outcome === "string" ? REFUSALS[outcome] : done);
  redirect(url);
});

/** The message above the list of runners: null, the new token of a runner, or an error. */
export type TokenResetState =
  | null
  | Readonly<{ kind: "reset"; runnerId: number; token: string }>
  | Readonly<{ kind: "refused"; text: string }>;

/** Replaces the token of a runner. The page shows the new token once. */
export const resetRunnerToken = reauthenticatedFormAction<TokenResetState>(urlOf, async ({ user }, form) => {
  const { url } = await requireRunnerManager(readPlace(form));
  const outcome = await runners.resetToken(systemDeps(), user, idIn(form));
  revalidatePath(url);
  if (typeof outcome === "string") return { kind: "refused", text: REFUSALS[outcome] };
  return { kind: "reset", runnerId: outcome.runner.id, token: outcome.token };
});

export const deleteRunner = reauthenticatedAction(urlOf, async ({ user }, form) => {
  const { url } = await requireRunnerManager(readPlace(form));
  const refusal = await runners.deleteRunner(systemDeps(), user, idIn(form));
  await setFlash(refusal === null ? "The runner is deleted." : REFUSALS[refusal]);
  redirect(url);
});

const idIn = (form: FormData): number => readId(readReference(form, "runner_id")) ?? 0;
