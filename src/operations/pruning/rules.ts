import { MAIL_KEPT_MS } from "@/instance/mail/rules";
import { LOGGED_MS } from "@/instance/outbound-messages/rules";

const DAY_MS = 86_400_000;

/**
 * The time for which data is stored after it has expired or ended, so that later requests still get the correct
 * response. Examples are the errors `expired_token` and "Token was revoked", and the detection of a replayed code or
 * a reused refresh token.
 */
const KEPT_MS = {
  codes: DAY_MS,
  device_codes: DAY_MS,
  tokens: 7 * DAY_MS,
  personal_tokens: 30 * DAY_MS,
  sessions: DAY_MS,
  failed_exchanges: 30 * DAY_MS,
  // The charts show 30 days. Hourly counts are kept for 32 days, so that the first bar of a chart is
  // complete.
  hourly_counts: 32 * DAY_MS,
  unused_clients: 7 * DAY_MS,
  rate_counters: 0,
  spent_proofs: 0,
  used_jwts: 0,
  // The user can complete an opened pushed authorization request until a day after the push.
  pushed_requests: DAY_MS,
  // Pushed authorization requests that no browser has opened are kept only for a short time, because anyone
  // can push requests for a public client. During this time, a browser that opens an expired pushed
  // authorization request gets the error `invalid_request_uri`.
  unopened_requests: 600_000,
  held_forms: 0,
  provider_sign_ins: 0,
  mails: MAIL_KEPT_MS,
  webhook_deliveries: LOGGED_MS,
  client_sessions: LOGGED_MS,
} as const satisfies Record<string, number>;

export type Cutoffs = Readonly<Record<keyof typeof KEPT_MS | "audit_events" | "errors", Date>>;

/**
 * Returns, for each kind of data, the time before which ended or expired data can be removed.
 * @param auditDays the number of days for which audit events are kept; 0: forever.
 * @param errorDays the number of days for which tracked errors are kept after their last event; 0: forever.
 */
export const cutoffsAt = (now: Date, auditDays: number, errorDays: number): Cutoffs => {
  const before = (keptMs: number): Date => new Date(now.getTime() - keptMs);
  return {
    codes: before(KEPT_MS.codes),
    device_codes: before(KEPT_MS.device_codes),
    tokens: before(KEPT_MS.tokens),
    personal_tokens: before(KEPT_MS.personal_tokens),
    sessions: before(KEPT_MS.sessions),
    failed_exchanges: before(KEPT_MS.failed_exchanges),
    hourly_counts: before(KEPT_MS.hourly_counts),
    unused_clients: before(KEPT_MS.unused_clients),
    rate_counters: before(KEPT_MS.rate_counters),
    spent_proofs: before(KEPT_MS.spent_proofs),
    used_jwts: before(KEPT_MS.used_jwts),
    pushed_requests: before(KEPT_MS.pushed_requests),
    unopened_requests: before(KEPT_MS.unopened_requests),
    held_forms: before(KEPT_MS.held_forms),
    provider_sign_ins: before(KEPT_MS.provider_sign_ins),
    mails: before(KEPT_MS.mails),
    webhook_deliveries: before(KEPT_MS.webhook_deliveries),
    client_sessions: before(KEPT_MS.client_sessions),
    errors: errorDays === 0 ? new Date(0) : before(errorDays * DAY_MS),
    audit_events: auditDays === 0 ? new Date(0) : before(auditDays * DAY_MS),
  };
};
