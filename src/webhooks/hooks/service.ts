import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import type { SealedColumn } from "@/instance/secret-rotation/sealed-column";
import { seal } from "@/kernel/crypto/seal";
import { openValue } from "@/kernel/crypto/sealed-value";
import type { Deps } from "@/kernel/deps/deps";
import {
  branchFilterProblem,
  HOOKS_MAX,
  type HookPlace,
  pausedUntil,
  signingSecretProblem,
  type Trigger,
  triggersOf,
  urlProblem,
  type Webhook,
} from "./rules";
import * as store from "./store";
import { uuidFrom } from "./uuid";

export type { Recipient } from "./store";

/** The fields of a webhook that its owners edit. The value null for `token` removes the stored token. */
export type HookDraft = Readonly<{
  url: string;
  name: string;
  description: string;
  token: string | null;
  /** The signing secret; undefined to create one. */
  signingSecret?: string | undefined;
  triggers: readonly Trigger[];
  branchFilter: string;
}>;

type Field =
  | "url"
  | "token"
  | "signing_token"
  | "name"
  | "description"
  | "triggers"
  | "push_events_branch_filter";
export type HookProblems = Readonly<Partial<Record<Field, string>>>;

/** A new webhook with its signing secret, which is shown once. */
export type CreatedHook = Readonly<{ webhook: Webhook; signingSecret: string }>;

type Needs = Pick<Deps, "db" | "keys">;

const purposeOf = (uid: string, field: "url" | "token" | "secret"): string => `webhook ${field} ${uid}`;

/** Returns the fields of a webhook that its owners can see. */
function webhookFrom({ keys }: Pick<Deps, "keys">, row: store.StoredWebhook): Webhook {
  const { id, uid, name, description, sealedUrl, sealedToken, branchFilter, ...rest } = row;
  const { failures, disabledUntil, urlChangedAt, createdAt } = rest;
  return {
    ...{ id, uid, name, description, branchFilter, failures, disabledUntil, urlChangedAt, createdAt },
    place: store.placeOf(row),
    url: openValue(keys, purposeOf(uid, "url"), sealedUrl) ?? "",
    hasToken: sealedToken !== null,
    triggers: store.triggersIn(row),
  };
}

/** Returns the webhooks of an owner, oldest first. */
export const listHooks = async (deps: Needs, place: HookPlace): Promise<readonly Webhook[]> =>
  (await store.list(deps.db, place)).map((row) => webhookFrom(deps, row));

/** Returns a webhook of an owner, or null. */
export async function findHook(deps: Needs, place: HookPlace, id: number): Promise<Webhook | null> {
  const row = await store.findIn(deps.db, place, id);
  return row && webhookFrom(deps, row);
}

/** A webhook with its secrets, for the job that sends its messages. */
export type HookSecrets = Readonly<{ webhook: Webhook; token: string | null; signingSecret: string }>;

/** Returns a webhook with its secrets; null if the webhook no longer exists. */
export async function readSecrets(deps: Needs, id: number): Promise<HookSecrets | null> {
  const row = await store.find(deps.db, id);
  if (row === null) return null;
  const { uid, sealedToken, sealedSecret } = row;
  return {
    webhook: webhookFrom(deps, row),
    token: sealedToken === null ? null : openValue(deps.keys, purposeOf(uid, "token"), sealedToken),
    signingSecret: openValue(deps.keys, purposeOf(uid, "secret"), sealedSecret) ?? "",
  };
}

function problemsOf(place: HookPlace, draft: Partial<HookDraft>): HookProblems | null {
  const { url, token, signingSecret, triggers, name = "", description = "", branchFilter } = draft;
  const others = triggers?.filter((trigger) => !triggersOf(place.kind).includes(trigger)) ?? [];
  const isToken = token === undefined || token === null || /^[\x21-\x7e]{1,255}$/.test(token);
  const checks: Readonly<Record<Field, string | null>> = {
    url: url === undefined ? null : urlProblem(url),
    token: isToken ? null : "must have at most 255 letters, digits and signs, without spaces",
    signing_token: signingSecret === undefined ? null : signingSecretProblem(signingSecret),
    name: name.length > 255 ? "must have at most 255 characters" : null,
    description: description.length > 2_048 ? "must have at most 2048 characters" : null,
    triggers: others.length === 0 ? null : `cannot include ${others.join(", ")}`,
    push_events_branch_filter: branchFilter === undefined ? null : branchFilterProblem(branchFilter),
  };
  const problems = Object.entries(checks).filter(([, problem]) => problem !== null);
  return problems.length === 0 ? null : (Object.fromEntries(problems) as HookProblems);
}

/** Returns the database columns for those fields of a draft that are not undefined. */
function columnsOf(deps: Pick<Deps, "randomBytes" | "keys">, uid: string, draft: Partial<HookDraft>) {
  const { url, token, signingSecret, ...rest } = draft;
  const sealed = (field: "url" | "token" | "secret", text: string): string =>
    seal(deps.randomBytes, deps.keys.sealing, purposeOf(uid, field), text);
  return {
    ...rest,
    ...(url === undefined ? {} : { sealedUrl: sealed("url", url) }),
    ...(token === undefined ? {} : { sealedToken: token === null ? null : sealed("token", token) }),
    ...(signingSecret === undefined ? {} : { sealedSecret: sealed("secret", signingSecret) }),
  };
}

const sealedField = (
  column: store.SealedField,
  field: "url" | "token" | "secret",
): Omit<SealedColumn, "column"> => ({
  list: (db, afterId, most) => store.listSealed(db, column, afterId, most),
  purpose: (uid) => purposeOf(uid, field),
  replace: (db, id, sealed, next) => store.replaceSealed(db, column, { id, sealed, next }),
});

export const sealedHookUrls: SealedColumn = {
  column: "Webhook.sealedUrl",
  ...sealedField("sealedUrl", "url"),
};
export const sealedHookTokens: SealedColumn = {
  column: "Webhook.sealedToken",
  ...sealedField("sealedToken", "token"),
};
export const sealedHookSecrets: SealedColumn = {
  column: "Webhook.sealedSecret",
  ...sealedField("sealedSecret", "secret"),
};

const newSigningSecret = ({ randomBytes }: Pick<Deps, "randomBytes">): string =>
  `whsec_${Buffer.from(randomBytes(32)).toString("base64")}`;

/**
 * Creates a webhook.
 * @returns the webhook with its signing secret, the problems of the fields, or `too_many`.
 */
export async function createHook(
  deps: Deps,
  place: HookPlace,
  draft: HookDraft,
  by: User,
): Promise<CreatedHook | Readonly<{ problems: HookProblems }> | "too_many"> {
  const problems = problemsOf(place, draft);
  if (problems !== null) return { problems };
  const signingSecret = draft.signingSecret ?? newSigningSecret(deps);
  const { name, description, triggers, branchFilter } = draft;
  return deps.transaction(async (within) => {
    if ((await store.count(within.db, place)) >= HOOKS_MAX) return "too_many";
    const uid = uuidFrom(within.randomBytes);
    const {
      sealedUrl = "",
      sealedToken = null,
      sealedSecret = "",
    } = columnsOf(within, uid, {
      ...draft,
      signingSecret,
    });
    const row = await store.insert(within.db, place, {
      ...{ uid, name, description, triggers, branchFilter, sealedUrl, sealedToken, sealedSecret },
      createdAt: within.clock(),
    });
    await recordChange(within, "webhook.created", row, by);
    return { webhook: webhookFrom(within, row), signingSecret };
  });
}

/**
 * Changes a webhook. A new signing secret replaces the old secret. A new URL ends the pause of the webhook. A
 * new URL also removes the secret token of the webhook, unless the changes contain a token. The old token is
 * a secret of the receiver at the old URL.
 * @returns null if the webhook no longer exists.
 */
export async function changeHook(
  deps: Deps,
  webhook: Webhook,
  changes: Partial<HookDraft>,
  by: User,
): Promise<Webhook | Readonly<{ problems: HookProblems }> | null> {
  const problems = problemsOf(webhook.place, changes);
  if (problems !== null) return { problems };
  return deps.transaction(async (within) => {
    const before = await store.find(within.db, webhook.id);
    if (before === null) return null;
    const isMoved = changes.url !== undefined && changes.url !== webhookFrom(within, before).url;
    const moved = isMoved
      ? { sealedToken: null, failures: 0, disabledUntil: null, urlChangedAt: within.clock() }
      : {};
    const columns = columnsOf(within, webhook.uid, changes);
    const row = await store.update(within.db, webhook.id, { ...moved, ...columns });
    if (row === null) return null;
    await recordChange(within, "webhook.changed", row, by);
    return webhookFrom(within, row);
  });
}

/**
 * Deletes a webhook with its messages.
 * @returns false if the webhook no longer exists.
 */
export const removeHook = (deps: Deps, { id }: Webhook, by: User): Promise<boolean> =>
  deps.transaction(async (within) => {
    const row = await store.find(within.db, id);
    if (row === null || !(await store.remove(within.db, id))) return false;
    await recordChange(within, "webhook.removed", row, by);
    return true;
  });

/**
 * Deletes the webhooks of a transferred application, because their URLs and tokens belong to the former
 * owner.
 */
export async function removeHooksOfApplication(deps: Deps, id: number, by: number | null): Promise<void> {
  const place: HookPlace = { kind: "application", id };
  const rows = await store.list(deps.db, place);
  if (rows.length === 0) return;
  await store.removeAll(deps.db, place);
  for (const row of rows) await recordChange(deps, "webhook.removed", row, { id: by });
}

/**
 * Removes the events of the webhooks of an application, so that the webhooks receive no messages until an
 * owner selects events again.
 * @returns the ids of the webhooks.
 */
export async function clearEventsOfApplication(
  deps: Deps,
  id: number,
  by: number | null,
): Promise<readonly number[]> {
  const place: HookPlace = { kind: "application", id };
  const rows = await store.list(deps.db, place);
  if (rows.length === 0) return [];
  await store.clearTriggers(deps.db, place);
  for (const row of rows) await recordChange(deps, "webhook.changed", row, { id: by });
  return rows.map((row) => row.id);
}

/**
 * Records an audit event about a webhook. The audit event contains no URL, because URLs of webhooks often
 * contain a secret.
 */
function recordChange(
  deps: Deps,
  name: "webhook.created" | "webhook.changed" | "webhook.removed",
  row: store.StoredWebhook,
  by: Readonly<{ id: number | null }>,
): Promise<void> {
  const place = store.placeOf(row);
  const ownerId = place.kind === "instance" ? null : place.id;
  const applicationId = place.kind === "application" ? place.id : null;
  return audit.record(
    deps,
    name,
    { id: row.id, owner: place.kind, ownerId },
    { userId: by.id, applicationId },
  );
}

export const { listRecipients, hasRecipients, keep: keepHooks, placeOf } = store;

/**
 * Ends the pause of a webhook after a successful request.
 * @returns whether the webhook had failures.
 */
export const recordSuccess = (deps: Pick<Deps, "db">, webhookId: number): Promise<boolean> =>
  store.recordSuccess(deps.db, webhookId);

/** Records a failed request. After several consecutive failures, the webhook is paused. */
export async function recordFailure(deps: Pick<Deps, "db" | "clock">, webhookId: number): Promise<void> {
  const failures = await store.recordFailure(deps.db, webhookId);
  const until = pausedUntil(failures, deps.clock());
  if (until !== null) await store.pause(deps.db, webhookId, until);
}
