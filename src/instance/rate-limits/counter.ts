import { createHash } from "node:crypto";
import type { Db } from "@/kernel/db/db";
import { LIMITS, type LimitName } from "./limits";
import * as store from "./store";

/**
 * One thing that is counted: which limit, of whom, and how often it may fail (0: as often as it likes). Its window is
 * that of the limit, unless it says otherwise.
 */
export type Subject = Readonly<{ limit: LimitName; of: string; most: number; perSeconds?: number }>;

/** A digest: what somebody typed is neither kept nor of any length. */
const keyOf = ({ limit, of }: Subject): string =>
  `${limit} ${createHash("sha256").update(of).digest("base64url")}`;

/**
 * Whether any of these has failed too often. One query, by primary keys.
 * @returns the seconds after which it is worth trying again, or null when nothing stands against it.
 */
export async function secondsBlocked(
  db: Db,
  subjects: readonly Subject[],
  now: Date,
): Promise<number | null> {
  const exhausted = await exhaustedSubjects(db, subjects, now);
  return exhausted.size === 0 ? null : Math.max(...exhausted.values());
}

/**
 * The subjects that have failed too often, each with the seconds until its window ends. One query, by primary keys.
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

/** Counts one failure where all processes of the instance see it. A window begins with its first failure. */
export async function countFailure(db: Db, subjects: readonly Subject[], now: Date): Promise<void> {
  for (const subject of subjects.filter(({ most }) => most > 0)) await countOne(db, subject, now);
}

function countOne(db: Db, subject: Subject, now: Date): Promise<number> {
  const seconds = subject.perSeconds ?? LIMITS[subject.limit].perSeconds;
  return store.increment(db, keyOf(subject), new Date(now.getTime() + seconds * 1000), now);
}

/**
 * Counts an attempt before it is judged, so that a hundred guesses at once are a hundred guesses. Give it back with
 * `refund` when it turns out not to be a failure.
 * @returns the seconds after which to try again when one of the limits was already used up, else null.
 */
export async function reserve(db: Db, subjects: readonly Subject[], now: Date): Promise<number | null> {
  let tooMany = false;
  for (const subject of subjects.filter(({ most }) => most > 0))
    if ((await countOne(db, subject, now)) > subject.most) tooMany = true;
  return tooMany ? ((await secondsBlocked(db, subjects, now)) ?? 1) : null;
}

/**
 * As `reserve`, one subject after the other: an attempt that one limit refuses uses up none of what the others leave to
 * other users.
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

/** Gives back an attempt that was no failure. */
export async function refund(db: Db, subjects: readonly Subject[], now: Date): Promise<void> {
  const keys = subjects.filter(({ most }) => most > 0).map(keyOf);
  await store.decrement(db, keys, now);
}

/** How many failures a subject has in its present window. */
export async function countOf(db: Db, subject: Subject, now: Date): Promise<number> {
  const [row] = await store.listOpen(db, [keyOf(subject)], now);
  return row?.count ?? 0;
}

/** Forgets the failures of these subjects. */
export async function reset(db: Db, subjects: readonly Subject[]): Promise<void> {
  await store.remove(db, subjects.map(keyOf));
}
