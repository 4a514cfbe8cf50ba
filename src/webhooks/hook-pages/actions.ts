"use server";

import { redirect } from "next/navigation";
import { adminAction, adminFormAction } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { readId, readReference } from "@/kernel/http/query";
import { setFlash } from "@/ui/appearance/flash";
import { findDelivery, type ResendRefusal, resend } from "../deliveries/service";
import { sendTest, type TestRefusal } from "../events/test-event";
import { HOOKS_MAX, type Trigger, type Webhook } from "../hooks/rules";
import * as service from "../hooks/service";
import { type Administered, hooksPath, requireOwner } from "./loaders";
import { type HookForm, kindIn, readHookForm } from "./schema";

/**
 * The state of the form of a webhook after a submission: the submitted values with their problems, or the
 * signing secret of the new webhook, which is shown once.
 */
export type HookFormState =
  | Readonly<{ kind: "editing"; form: HookForm; problems: Readonly<Record<string, string>> }>
  | Readonly<{ kind: "created"; path: string; signingSecret: string }>;

const ownerIn = (form: FormData): string => readReference(form, "owner");
const hookIn = (form: FormData): string => readReference(form, "hook");
const listPath = (form: FormData): string => hooksPath(kindIn(form), ownerIn(form));
const hookPath = (form: FormData): string => `${listPath(form)}/${hookIn(form)}`;

/**
 * Actions on webhooks of the instance require a recent authentication, like all actions of the
 * administration.
 */
const isOfInstance = (form: FormData): boolean => kindIn(form) === "instance";
const ownerOf = (form: FormData): Promise<Administered> =>
  requireOwner(kindIn(form), ownerIn(form), hookIn(form));

const ofInstance = (user: Administered["user"]): Administered => ({
  place: { kind: "instance" },
  owner: "",
  user,
});

async function requireHook({ place }: Administered, form: FormData): Promise<Webhook> {
  const webhook = await service.findHook(systemDeps(), place, readId(hookIn(form)) ?? 0);
  if (webhook !== null) return webhook;
  await setFlash("The webhook no longer exists.");
  return redirect(listPath(form));
}

async function create({ place, user }: Administered, posted: FormData): Promise<HookFormState> {
  const form = readHookForm(posted);
  const { token, ...rest } = form;
  const draft = { ...rest, description: "", token: token === "" ? null : token };
  const created = await service.createHook(systemDeps(), place, draft, user);
  if (created === "too_many")
    return { kind: "editing", form, problems: { url: `cannot be added: there are ${HOOKS_MAX} webhooks` } };
  if ("problems" in created) return { kind: "editing", form, problems: created.problems };
  const { webhook, signingSecret } = created;
  return { kind: "created", path: `${listPath(posted)}/${webhook.id}`, signingSecret };
}

const createForInstance = adminFormAction<HookFormState>(listPath, ({ user }, form) =>
  create(ofInstance(user), form),
);

/** Creates a webhook. */
export async function createWebhook(before: HookFormState, form: FormData): Promise<HookFormState> {
  return isOfInstance(form) ? createForInstance(before, form) : create(await ownerOf(form), form);
}

async function change(owner: Administered, posted: FormData): Promise<HookFormState> {
  const webhook = await requireHook(owner, posted);
  const form = readHookForm(posted);
  const { token, ...changes } = form;
  const draft = { ...changes, ...(token === "" ? {} : { token }) };
  const changed = await service.changeHook(systemDeps(), webhook, draft, owner.user);
  if (changed !== null && "problems" in changed) return { kind: "editing", form, problems: changed.problems };
  await setFlash(changed === null ? "The webhook no longer exists." : "The webhook is saved.");
  redirect(changed === null ? listPath(posted) : hookPath(posted));
}

const changeOfInstance = adminFormAction<HookFormState>(hookPath, ({ user }, form) =>
  change(ofInstance(user), form),
);

/** Changes a webhook. */
export async function changeWebhook(before: HookFormState, form: FormData): Promise<HookFormState> {
  return isOfInstance(form) ? changeOfInstance(before, form) : change(await ownerOf(form), form);
}

async function remove(owner: Administered, form: FormData): Promise<void> {
  const webhook = await requireHook(owner, form);
  await service.removeHook(systemDeps(), webhook, owner.user);
  await setFlash("The webhook is deleted.");
  redirect(listPath(form));
}

const removeOfInstance = adminAction(hookPath, ({ user }, form) => remove(ofInstance(user), form));

/** Deletes a webhook with its messages. */
export async function removeWebhook(form: FormData): Promise<void> {
  return isOfInstance(form) ? removeOfInstance(form) : remove(await ownerOf(form), form);
}

const TEST_REFUSALS = {
  no_commits: "The project has no commits. Push a commit first.",
  no_merge_requests: "The project has no merge requests. Create a merge request first.",
  not_testable: "This event cannot be tested. Select another event.",
  too_many: "Too many messages were requested. Wait a minute, and try again.",
} as const satisfies Record<TestRefusal, string>;

async function test(owner: Administered, form: FormData): Promise<void> {
  const webhook = await requireHook(owner, form);
  const trigger: Trigger = webhook.triggers.find((name) => name === form.get("trigger")) ?? "push_events";
  const outcome = await sendTest(systemDeps(), webhook, trigger, owner.user);
  await setFlash(
    typeof outcome === "string" ? TEST_REFUSALS[outcome] : "The test message is sent within a few seconds.",
  );
  redirect(hookPath(form));
}

const testOfInstance = adminAction(hookPath, ({ user }, form) => test(ofInstance(user), form));

/** Sends a test message. */
export async function testWebhook(form: FormData): Promise<void> {
  return isOfInstance(form) ? testOfInstance(form) : test(await ownerOf(form), form);
}

const RESEND_REFUSALS = {
  expired: "The message is no longer stored and cannot be sent again.",
  too_many: TEST_REFUSALS.too_many,
  url_changed:
    "The message is not sent again, because the URL of the webhook has changed since the message was created.",
} as const satisfies Record<ResendRefusal | "expired", string>;

async function repeat(owner: Administered, form: FormData): Promise<void> {
  const webhook = await requireHook(owner, form);
  const deps = systemDeps();
  const delivery = await findDelivery(deps, webhook.id, readId(readReference(form, "delivery")) ?? 0);
  const sent = delivery === null ? "expired" : await resend(deps, webhook, delivery);
  await setFlash(
    typeof sent === "string" ? RESEND_REFUSALS[sent] : "The message is sent again within a few seconds.",
  );
  redirect(hookPath(form));
}

const repeatOfInstance = adminAction(hookPath, ({ user }, form) => repeat(ofInstance(user), form));

/** Sends a message again. */
export async function redeliver(form: FormData): Promise<void> {
  return isOfInstance(form) ? repeatOfInstance(form) : repeat(await ownerOf(form), form);
}
