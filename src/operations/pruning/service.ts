import { setTimeout as pause } from "node:timers/promises";
import { removeBotsWithoutApplication } from "@/identity/users/bot-users";
import { pruneEvents } from "@/instance/audit/chain";
import { readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";
import { removeUnusedClients } from "@/oauth/applications/unregistered";
import { pruneKeys } from "@/oauth/signing-keys/service";
import { sweepFiles } from "@/registries/packages/service";
import { cutoffsAt } from "./rules";
import * as store from "./store";

/**
 * The number of rows that one step of the pruning job removes. A step takes about 15 ms. On SQLite, other
 * writers wait until the step ends.
 */
const ROWS_AT_ONCE = 200;

/** The pause between two steps of the job. During the pause, other writers can write. */
const PAUSE_MS = 25;

/**
 * The number of tracked errors that one step of the pruning job removes. Up to a thousand rows about affected
 * users are removed with each tracked error.
 */
const ERRORS_AT_ONCE = 10;

/** The number of removed rows for each kind of data. */
export type Removed = Readonly<
  Record<
    | "codes"
    | "device_codes"
    | "tokens"
    | "families"
    | "personal_tokens"
    | "bot_memberships"
    | "application_bots"
    | "sessions"
    | "rate_counters"
    | "spent_proofs"
    | "used_jwts"
    | "pushed_requests"
    | "held_forms"
    | "provider_sign_ins"
    | "mails"
    | "webhook_deliveries"
    | "client_sessions"
    | "audit_events"
    | "failed_exchanges"
    | "hourly_counts"
    | "unused_clients"
    | "error_events"
    | "error_hours"
    | "error_counts"
    | "errors"
    | "signing_keys"
    | "package_leftovers",
    number
  >
>;

type JobOptions = Readonly<{ signal?: AbortSignal }>;

/**
 * Removes expired and ended data after its retention period, in small steps, so that other processes can
 * write between the steps. Any number of processes may call this function simultaneously.
 * @param options.signal a signal that ends the job after the current step.
 */
export async function prune(deps: Deps, options: JobOptions = {}): Promise<Removed> {
  const { db } = deps;
  const { audit_event_retention_days: auditDays, error_retention_days: errorDays } = await readSettings(deps);
  const before = cutoffsAt(deps.clock(), auditDays, errorDays);
  const most = ROWS_AT_ONCE;
  const removed = {
    codes: await inBatches(options, () => store.deleteCodes(db, before.codes, most)),
    device_codes: await inBatches(options, () => store.deleteDeviceCodes(db, before.device_codes, most)),
    rate_counters: await inBatches(options, () => store.deleteRateCounters(db, before.rate_counters, most)),
    failed_exchanges: await inBatches(options, () =>
      store.deleteFailedExchanges(db, before.failed_exchanges, most),
    ),
    unused_clients: await inBatches(options, () => removeUnusedClients(deps, before.unused_clients, most)),
    hourly_counts: await inBatches(options, () => store.deleteHourlyCounts(db, before.hourly_counts, most)),
    sessions:
      (await inBatches(options, () => store.deleteExpiredSessions(db, before.sessions, most))) +
      (await inBatches(options, () => store.deleteEndedSessions(db, before.sessions, most))),
    spent_proofs: await inBatches(options, () => store.deleteUsedSealedTokens(db, before.spent_proofs, most)),
    used_jwts: await inBatches(options, () => store.deleteUsedJwts(db, before.used_jwts, most)),
    pushed_requests: await inBatches(options, () =>
      store.deletePushedRequests(db, before.pushed_requests, before.unopened_requests, most),
    ),
    held_forms: await inBatches(options, () => store.deleteHeldForms(db, before.held_forms, most)),
    provider_sign_ins: await inBatches(options, () =>
      store.deleteProviderSignIns(db, before.provider_sign_ins, most),
    ),
    mails: await inBatches(options, () => store.deleteMails(db, before.mails, most)),
    webhook_deliveries: await inBatches(options, () =>
      store.deleteWebhookDeliveries(db, before.webhook_deliveries, most),
    ),
    client_sessions: await inBatches(options, () =>
      store.deleteClientSessions(db, before.client_sessions, most),
    ),
    personal_tokens:
      (await inBatches(options, () => store.deleteExpiredPersonalTokens(db, before.personal_tokens, most))) +
      (await inBatches(options, () => store.deleteRevokedPersonalTokens(db, before.personal_tokens, most))),
    bot_memberships: await inBatches(options, () => store.deleteBotMemberships(db, most)),
    application_bots: await inBatches(options, () => removeBotsWithoutApplication(deps, most)),
    audit_events: await inBatches(options, () => pruneEvents(deps, before.audit_events, most)),
    error_events: await inBatches(options, () => removeErrorEvents(deps, before.errors)),
    error_hours: await inBatches(options, () => store.deleteErrorHours(db, before.errors, most)),
    error_counts: await inBatches(options, () => store.deleteErrorCounts(db, before.errors, most)),
    errors: await inBatches(
      options,
      () => store.deleteErrors(db, before.errors, ERRORS_AT_ONCE),
      ERRORS_AT_ONCE,
    ),
  };
  let families = 0;
  const end = async (dead: readonly store.DeadToken[]): Promise<number> => {
    const gone = await removeTokens(deps, dead);
    families += gone.families;
    return gone.tokens;
  };
  const revoked = await inBatches(options, async () =>
    end(await store.revokedTokens(db, before.tokens, most)),
  );
  const expired = await inBatches(options, async () =>
    end(await store.expiredTokens(db, before.tokens, most)),
  );
  const signing_keys = await pruneKeys(deps);
  const package_leftovers = await sweepFiles(deps, options);
  return { ...removed, tokens: revoked + expired, families, signing_keys, package_leftovers };
}

/**
 * Removes the events of tracked errors after their retention period, and subtracts the size of these events
 * from the stored bytes of their projects.
 */
const removeErrorEvents = (deps: Deps, before: Date): Promise<number> =>
  deps.transaction(async (within) => {
    const events = await store.oldErrorEvents(within.db, before, ROWS_AT_ONCE);
    if (events.length > 0) await store.deleteErrorEvents(within.db, before, events);
    return events.length;
  });

/**
 * Removes tokens, and the token families that have no other token. After the check for remaining tokens, no
 * token can be added to an empty token family, because adding a token requires a valid refresh token.
 */
async function removeTokens(
  deps: Deps,
  dead: readonly store.DeadToken[],
): Promise<Readonly<{ tokens: number; families: number }>> {
  if (dead.length === 0) return { tokens: 0, families: 0 };
  const familyIds = [...new Set(dead.map(({ familyId }) => familyId))];
  return deps.transaction(async (within) => {
    const ids = dead.map(({ id }) => id);
    const tokens = await store.deleteTokens(within.db, ids, ROWS_AT_ONCE);
    const left = await store.familiesWithTokens(within.db, familyIds, ROWS_AT_ONCE);
    const empty = familyIds.filter((id) => !left.has(id));
    return { tokens, families: await store.deleteFamilies(within.db, empty, ROWS_AT_ONCE) };
  });
}

/**
 * Calls `batch` repeatedly, until a call removes fewer rows than a full batch. Returns the number of removed
 * rows.
 */
async function inBatches(
  options: JobOptions,
  batch: () => Promise<number>,
  whole: number = ROWS_AT_ONCE,
): Promise<number> {
  let total = 0;
  while (!options.signal?.aborted) {
    const count = await batch();
    total += count;
    if (count < whole) break;
    await pause(PAUSE_MS);
  }
  return total;
}
