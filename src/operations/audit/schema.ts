import type { AuditName } from "@/instance/audit/catalog";
import type { EventKey } from "@/instance/audit/service";
import { type Cursor, cursorIn, type Query, textOf } from "@/kernel/paging/keyset";
import { isAuditName } from "./labels";

/** The fields of the filter form as typed; empty where nothing was typed. */
export type EventSearch = Readonly<Record<"name" | "person" | "application" | "from" | "to", string>>;

const CHARACTERS_MAX = 255;

/** Reads the filters from the query of a URL. */
export function readSearch(query: Query): EventSearch {
  const text = (name: keyof EventSearch) => textOf(query, name).slice(0, CHARACTERS_MAX);
  return {
    name: text("name"),
    person: text("person"),
    application: text("application"),
    from: text("from"),
    to: text("to"),
  };
}

/** Returns the name of an event, or null when there is no such event. */
export const readName = (text: string): AuditName | null => (isAuditName(text) ? text : null);

/**
 * Returns the beginning of a day from 2000 to 2999 (UTC), given as `YYYY-MM-DD`, plus `daysLater` days; null
 * for anything else.
 */
export function readDay(text: string, daysLater = 0): Date | null {
  if (!/^2\d{3}-\d{2}-\d{2}$/.test(text)) return null;
  const day = new Date(`${text}T00:00:00.000Z`);
  // `Date` reads the 31st of April as the first of May.
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text) return null;
  return new Date(day.getTime() + daysLater * 86_400_000);
}

export const writeEventKey = ({ at, id }: EventKey): string => `${at.getTime()}-${id}`;

function readEventKey(text: string): EventKey | null {
  const [, time, id] = /^(\d{1,13})-([1-9]\d{0,9})$/.exec(text) ?? [];
  // No id is as large, and PostgreSQL refuses to compare with it.
  return time === undefined || Number(id) >= 2 ** 31 ? null : { at: new Date(Number(time)), id: Number(id) };
}

export const readEventCursor = (query: Query): Cursor<EventKey> => cursorIn(query, readEventKey);
