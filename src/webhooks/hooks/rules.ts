import { matchesBranch, WILDCARDS_MAX } from "@/code/protected-branches/rules";

/** The owner of a webhook. */
export type HookPlace =
  | Readonly<{ kind: "instance" }>
  | Readonly<{ kind: "group" | "project" | "application"; id: number }>;
export type HookKind = HookPlace["kind"];

/**
 * The events to which webhooks can be subscribed, each with the kinds of owners whose webhooks can receive
 * the event.
 */
export const TRIGGERS = {
  push_events: {
    label: "Push",
    detail: "Commits are pushed to a branch, or a branch is created or deleted.",
    kinds: ["instance", "group", "project"],
  },
  tag_push_events: {
    label: "Tag push",
    detail: "A tag is created or deleted.",
    kinds: ["instance", "group", "project"],
  },
  merge_requests_events: {
    label: "Merge requests",
    detail: "A merge request is created, changed, approved, merged, closed or reopened.",
    kinds: ["instance", "group", "project"],
  },
  error_events: {
    label: "Tracked errors",
    detail: "A tracked error is reported for the first time, or again after it was resolved.",
    kinds: ["instance", "group", "project"],
  },
  security_events: {
    label: "Security events",
    detail:
      "Successful and failed sign-ins, reused tokens, revoked grants, added secrets and created tokens.",
    kinds: ["instance", "application"],
  },
  audit_events: {
    label: "Audit events",
    detail: "Every event of the audit trail.",
    kinds: ["instance"],
  },
} as const satisfies Record<string, { label: string; detail: string; kinds: readonly HookKind[] }>;

export type Trigger = keyof typeof TRIGGERS;
export const isTrigger = (name: string): name is Trigger => Object.hasOwn(TRIGGERS, name);
export const ALL_TRIGGERS = Object.keys(TRIGGERS) as Trigger[];

/** Returns the events that a webhook of this kind can receive. */
export const triggersOf = (kind: HookKind): readonly Trigger[] =>
  ALL_TRIGGERS.filter((trigger) => (TRIGGERS[trigger].kinds as readonly HookKind[]).includes(kind));

/** The maximum number of webhooks of each owner. */
export const HOOKS_MAX = 100;

/** A webhook with its decrypted URL. */
export type Webhook = Readonly<{
  id: number;
  uid: string;
  place: HookPlace;
  name: string;
  description: string;
  url: string;
  hasToken: boolean;
  triggers: readonly Trigger[];
  branchFilter: string;
  failures: number;
  disabledUntil: Date | null;
  urlChangedAt: Date | null;
  createdAt: Date;
}>;

/**
 * The number of consecutive failures after which a webhook is paused, and the number after which it is
 * disabled.
 */
const PAUSED_AFTER = 4;
export const DISABLED_AFTER = 40;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Returns the time until which a webhook is paused after this number of consecutive failures. The first pause
 * is one minute. Each further failed request doubles the pause of the webhook, up to one day. The result is
 * null for a webhook that is not paused.
 */
export const pausedUntil = (failures: number, now: Date): Date | null =>
  failures < PAUSED_AFTER
    ? null
    : new Date(now.getTime() + Math.min(MINUTE_MS * 2 ** (failures - PAUSED_AFTER), DAY_MS));

export type HookStatus = "executable" | "temporarily_disabled" | "disabled";

/**
 * Returns the status of a webhook with the names that GitLab uses. The status shows whether messages are
 * currently sent to the webhook.
 */
export function statusOf(
  { failures, disabledUntil }: Pick<Webhook, "failures" | "disabledUntil">,
  now: Date,
): HookStatus {
  if (failures >= DISABLED_AFTER) return "disabled";
  return disabledUntil !== null && disabledUntil > now ? "temporarily_disabled" : "executable";
}

const URL_CHARACTERS_MAX = 2_048;

/** Returns the reason why a text is not a valid URL of a webhook; null for a valid URL. */
export function urlProblem(text: string): string | null {
  if (!URL.canParse(text)) return "must be a URL";
  const { protocol, username, password } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:") return "must begin with https:// or http://";
  if (username !== "" || password !== "") return "must not contain a username or a password";
  return text.length > URL_CHARACTERS_MAX ? `must have at most ${URL_CHARACTERS_MAX} characters` : null;
}

/**
 * Returns the error text for an invalid signing secret; null for a valid secret. A signing secret of Standard
 * Webhooks consists of a prefix and 24 to 64 bytes in base64.
 */
export function signingSecretProblem(text: string): string | null {
  const digits = /^whsec_([A-Za-z0-9+/]+)={0,2}$/.exec(text)?.[1] ?? "";
  // `Buffer` is not used, because it would add 6 kB to the JavaScript of the pages whose forms import this
  // file.
  const length = Math.floor((digits.length * 3) / 4);
  return length >= 24 && length <= 64 ? null : "must be whsec_ followed by 24 to 64 bytes in base64";
}

/**
 * Returns whether a branch matches the branch filter of a webhook. In the filter, `*` matches any characters.
 */
export const branchMatches = (filter: string, branch: string): boolean =>
  filter === "" || matchesBranch(filter, branch);

/** Returns the reason why a text is not a valid branch filter; null for a valid branch filter. */
export const branchFilterProblem = (filter: string): string | null =>
  filter.length > 255 || filter.split("*").length - 1 > WILDCARDS_MAX
    ? `must have at most 255 characters and ${WILDCARDS_MAX} wildcards`
    : null;
