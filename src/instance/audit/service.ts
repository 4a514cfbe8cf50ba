import type { Deps } from "@/kernel/deps/deps";
import { count } from "@/kernel/metrics/metrics";
import type { StatisticName } from "../statistics/catalog";
import { countEvent } from "../statistics/service";
import type { AuditEvents, AuditName } from "./catalog";
import { append, chainExistingEvents } from "./chain";
import * as store from "./store";
import { countUsers, listOf } from "./store.sql";

export type { EventFilter, EventKey, StoredEvent } from "./store";

/**
 * The user and the application that an audit event concerns. `actorId` is the id of the administrator who
 * caused the event, if any.
 */
export type About = Readonly<{
  userId?: number | null;
  applicationId?: number | null;
  actorId?: number | null;
}>;

/** An audit event in the form that functions of other modules receive. */
export type RecordedEvent = {
  readonly [Name in AuditName]: Readonly<{
    name: Name;
    details: AuditEvents[Name];
    at: Date;
    userId: number | null;
    applicationId: number | null;
    actorId: number | null;
    byCommandLine: boolean;
  }>;
}[AuditName];

declare module "@/kernel/deps/deps" {
  interface Hooks {
    /**
     * Functions that are called after an audit event was recorded, in the transaction that recorded the
     * event.
     */
    auditRecorded: readonly ((deps: Deps, event: RecordedEvent) => Promise<void>)[];
  }
}

/**
 * Records an audit event. Within a transaction, the event is recorded only if the transaction commits.
 * Queries inside the transaction do not find the event, because the event is inserted immediately before the
 * commit.
 */
export async function record<Name extends AuditName>(
  deps: Deps,
  name: Name,
  details: AuditEvents[Name],
  about: About,
): Promise<void> {
  const statistic = COUNTED[name];
  if (statistic !== undefined) countEvent(deps, statistic);
  count("gatehouse_audit_events_total", { event: name });
  if (deps.beforeCommit === undefined)
    await deps.transaction((within) => recordWithin(within, name, details, about));
  else await recordWithin(deps, name, details, about);
}

async function recordWithin<Name extends AuditName>(
  deps: Deps,
  name: Name,
  details: AuditEvents[Name],
  about: About,
): Promise<void> {
  const { impersonatorId } = deps;
  const facts = {
    name,
    at: deps.clock(),
    userId: about.userId ?? null,
    applicationId: about.applicationId ?? null,
    actorId: about.actorId ?? impersonatorId ?? null,
    byCommandLine: deps.commandLine === true,
  };
  const stored = impersonatorId === undefined ? details : { ...details, impersonatorId };
  append(deps, { ...facts, details: JSON.stringify(stored) });
  const event = { ...facts, details } as unknown as RecordedEvent;
  for (const listener of deps.hooks.auditRecorded) await listener(deps, event);
}

/**
 * Adds the audit events that an earlier version recorded to the hash chain, and records the number of these
 * events. The function is called at the start of the instance.
 */
export async function completeChain(deps: Deps): Promise<void> {
  const events = await chainExistingEvents(deps);
  if (events > 0) await record(deps, "audit_trail.chained", { events }, {});
}

/**
 * The audit events that are also counted per hour for the charts, because counting all audit events of a
 * month for each chart would take too long.
 */
const COUNTED: Readonly<Partial<Record<AuditName, StatisticName>>> = {
  "sign_in.succeeded": "sign_in.succeeded",
  "sign_in.failed": "sign_in.failed",
  "sign_in.second_factor_failed": "sign_in.failed",
};

/**
 * Returns the audit events of a page and one more event, if there is a next page. The audit events are sorted
 * in the direction in which the page is read.
 */
export const listEvents = (
  deps: Pick<Deps, "db">,
  query: Parameters<typeof store.list>[1],
): Promise<readonly store.StoredEvent[]> => store.list(deps.db, query);

/**
 * Returns the times and IP addresses of failed second-factor attempts of a user since a time: newest first,
 * at most 100.
 */
export async function wrongSecondFactors(
  deps: Pick<Deps, "reads">,
  userId: number,
  since: Date,
): Promise<readonly Readonly<{ at: Date; ipAddress: string }>[]> {
  const events = await listOf(deps.reads, {
    name: "sign_in.second_factor_failed",
    userId,
    since,
    most: 100,
  });
  return events.map(({ at, details }) => {
    const { address: ipAddress } = JSON.parse(details) as AuditEvents["sign_in.second_factor_failed"];
    return { at, ipAddress };
  });
}

/** Returns the time of the last sign-in of a user; null for a user without a sign-in in the audit log. */
export async function lastSignIn(deps: Pick<Deps, "reads">, userId: number): Promise<Date | null> {
  const query = { name: "sign_in.succeeded", userId, since: new Date(0), most: 1 } as const;
  return (await listOf(deps.reads, query))[0]?.at ?? null;
}

/**
 * Returns the usernames of deleted users, by user id. The returned map has no entry for a user who was not
 * deleted.
 */
export async function deletedUsernames(
  deps: Pick<Deps, "db">,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (userIds.length === 0) return new Map();
  const events = await store.deletionsOf(deps.db, [...new Set(userIds)]);
  return new Map(
    events.flatMap(({ userId, details }) => {
      const { username } = JSON.parse(details) as AuditEvents["user.deleted"];
      return userId === null ? [] : [[userId, username]];
    }),
  );
}

/**
 * Returns the id of the deleted user who had exactly this username, including upper and lower case; null if
 * there is none.
 */
export const findDeletedUser = (deps: Pick<Deps, "db">, username: string): Promise<number | null> =>
  store.findDeleted(deps.db, username);

/** Returns whether the audit log has an event with one of these names. */
export const hasEvent = (deps: Pick<Deps, "db">, names: readonly AuditName[]): Promise<boolean> =>
  store.hasEvent(deps.db, names);

/** Returns the number of users who signed in since a time. */
export const countSignedInUsers = (deps: Pick<Deps, "reads">, since: Date): Promise<number> =>
  countUsers(deps.reads, "sign_in.succeeded", since);

/** Returns the times and IP addresses of the sign-ins of a user since a time: newest first, at most 100. */
export async function recentSignIns(
  deps: Pick<Deps, "reads">,
  userId: number,
  since: Date,
): Promise<readonly Readonly<{ at: Date; ipAddress: string }>[]> {
  const events = await listOf(deps.reads, { name: "sign_in.succeeded", userId, since, most: 100 });
  return events.map(({ at, details }) => {
    const { address: ipAddress } = JSON.parse(details) as AuditEvents["sign_in.succeeded"];
    return { at, ipAddress };
  });
}

/** Returns the id of the last audit event; 0 when there is none. */
export const lastEventId = ({ db }: Pick<Deps, "db">): Promise<number> => store.lastId(db);
