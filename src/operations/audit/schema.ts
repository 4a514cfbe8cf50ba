import type { AuditName } from "@/instance/audit/catalog";
import type { EventKey } from "@/instance/audit/service";
import { type Cursor, cursorIn, type Query, textOf } from "@/kernel/paging/keyset";
import { isAuditName } from "./labels";

/** What the form of filters holds, as typed; empty where nothing was. */
export type EventSearch = Readonly<Record<"name" | "person" | "application" | "from" | "to", string>>;

const CHARACTERS_MAX = 255;

/** The filters in an address. */
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

/** The name of an event, or null for what is none. */
export const readName = (text: string): AuditName | null => (isAuditName(text) ? text : null);

/** The beginning of a day of these thousand years (UTC) as `YYYY-MM-DD`, so many days later; null for anything else. */
export function readDay(text: string, daysLater = 0): Date | null {
  if (!/^2\d{3}-\d{2}-\d{2}$/.test(text)) return null;
  const day = new Date(`${text}T00:00:00.000Z`);
  // The 31st of April would silently be the first of May.
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text) return null;
  return new Date(day.getTime() + daysLater * 86_400_000);
}

export const writeEventKey = ({ at, id }: EventKey): string => `${at.getTime()}-${id}`;

function readEventKey(text: string): EventKey | null {
  const [, time, id] = /^(\d{1,13})-([1-9]\d{0,9})$/.exec(text) ?? [];
  // 2 ** 31 is more than any id, and PostgreSQL refuses to compare with it.
  return time === undefined || Number(id) >= 2 ** 31 ? null : { at: new Date(Number(time)), id: Number(id) };
}

export const readEventCursor = (query: Query): Cursor<EventKey> => cursorIn(query, readEventKey);
