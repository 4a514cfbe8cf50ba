import { createHash } from "node:crypto";
import type { Db } from "@/kernel/db/db";
import { count } from "@/kernel/metrics/metrics";
import { LIMITS, type LimitName } from "./limits";
import * as store from "./store";

/**
 * The subject of a rate limit: the name of the limit, the key for which failures are counted (`of`), and the
 * number of allowed failures (`most`; 0 means unlimited). `perSeconds` replaces the default length of the
 * time window.
 */
export type Subject = Readonly<{ limit: LimitName; of: string; most: number; perSeconds?: number }>;

/**
 * Returns the database key of a rate limit counter. The key of a counter is a digest, so that the database
 * stores no text that a user typed, and all keys have the same length.
 */
const keyOf = ({ limit, of }: Subject): string =>
  `${limit} ${createHash("sha256").update(of).digest("base64url")}`;

/**
 * Counts a refused attempt in the metrics. Several subjects of one limit count once.
 * @param subjects the subjects whose limit refuses the attempt.
 */
export function countLimited(subjects: Iterable<Subject>): void {
  for (const limit of new Set([...subjects].map((subject) => subject.limit)))
    count("gatehouse_rate_limited_total", { limit });
}

/**
 * Returns the time for which a client must wait because a limit is exhausted, and counts the refused attempt in the
 * metrics.
 * @returns the seconds until the next allowed attempt, or null when no limit is exhausted.
 */
export async function secondsBlocked(
  db: Db,
  subjects: readonly Subject[],
  now: Date,
): Promise<number | null> {
  const exhausted = await exhaustedSubjects(db, subjects, now);
  countLimited(exhausted.keys());
  return exhausted.size === 0 ? null : Math.max(...exhausted.values());
}

/**
 * Returns the subjects whose limit is exhausted, each with the seconds until its window ends. The function
 * runs one database query, which uses the primary keys of the counters.
 */
export async function exhaustedSubjects(
  db: Db,
  subjects: readonly Subject[],
  now: Date,
): Promise<ReadonlyMap<Subject, number>> {
  const limited = subjects.filter(({ most }) => most > 0);
  if (limited.length === 0) return new Map();
  const rows = await store.listOpen(db, limited.map(keyOf), now);
  return new Map(
    limited.flatMap((subject) => {
      const row = rows.find(({ key }) => key === keyOf(subject));
      if (row === undefined || row.count < subject.most) return [];
      return [[subject, Math.max(1, Math.ceil((row.endsAt.getTime() - now.getTime()) / 1000))]];
    }),
  );
}

/**
 * Counts one failure for each subject, for all processes of the instance. The time window of a counter begins
 * with the first failure.
 */
export async function countFailure(db: Db, subjects: readonly Subject[], now: Date): Promise<void> {
  for (const subject of subjects.filter(({ most }) => most > 0)) await countOne(db, subject, now);
}

function countOne(db: Db, subject: Subject, now: Date): Promise<number> {
  const seconds = subject.perSeconds ?? LIMITS[subject.limit].perSeconds;
  return store.increment(db, keyOf(subject), new Date(now.getTime() + seconds * 1000), now);
}

/**
 * Counts an attempt before the attempt is checked, so that each of several simultaneous guesses counts. The
 * caller must call `refund` when the attempt was not a failure.
 * @returns the seconds until the next allowed attempt when a limit is exhausted, otherwise null.
 */
export async function reserve(db: Db, subjects: readonly Subject[], now: Date): Promise<number | null> {
  const exceeded: Subject[] = [];
  for (const subject of subjects.filter(({ most }) => most > 0))
    if ((await countOne(db, subject, now)) > subject.most) exceeded.push(subject);
  if (exceeded.length === 0) return null;
  countLimited(exceeded);
  return Math.max(1, ...(await exhaustedSubjects(db, subjects, now)).values());
}

/**
 * Counts an attempt in each limit, one after the other. If one limit refuses the attempt, the attempt is not
 * counted in the other limits.
 */
export async function reserveInOrder(
  db: Db,
  subjects: readonly Subject[],
  now: Date,
): Promise<number | null> {
  for (const [index, subject] of subjects.entries()) {
    const seconds = await reserve(db, [subject], now);
    if (seconds === null) continue;
    await refund(db, subjects.slice(0, index), now);
    return seconds;
  }
  return null;
}

/** Removes an attempt that `reserve` has counted from the counters, because the attempt was not a failure. */
export async function refund(db: Db, subjects: readonly Subject[], now: Date): Promise<void> {
  const keys = subjects.filter(({ most }) => most > 0).map(keyOf);
  await store.decrement(db, keys, now);
}

/** Returns the number of failures of a subject in its current window. */
export async function countOf(db: Db, subject: Subject, now: Date): Promise<number> {
  const [row] = await store.listOpen(db, [keyOf(subject)], now);
  return row?.count ?? 0;
}

/** Deletes the counters of these subjects. */
export async function reset(db: Db, subjects: readonly Subject[]): Promise<void> {
  await store.remove(db, subjects.map(keyOf));
}
