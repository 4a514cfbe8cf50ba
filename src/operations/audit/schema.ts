import type { AuditName } from "@/instance/audit/catalog";
import type { EventKey } from "@/instance/audit/service";
import { type Query, textOf } from "@/kernel/http/query";
import { keysetPagingIn } from "@/kernel/paging/links";
import type { KeysetPaging } from "@/kernel/paging/paging";
import { isAuditName } from "./labels";

/** The entered values of the filter form; an empty string for an empty field. */
export type EventSearch = Readonly<Record<"name" | "person" | "application" | "from" | "to", string>>;

const CHARACTERS_MAX = 255;

/** Parses the filter from the query of a URL. */
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

/** Returns the name of an audit event, or null when no event has this name. */
export const readName = (text: string): AuditName | null => (isAuditName(text) ? text : null);

/**
 * Returns the beginning (UTC) of the day that is `daysLater` days after a day of the form `YYYY-MM-DD`.
 * Returns null for other texts, and for days before 2000 or after 2999.
 */
export function readDay(text: string, daysLater = 0): Date | null {
  if (!/^2\d{3}-\d{2}-\d{2}$/.test(text)) return null;
  const day = new Date(`${text}T00:00:00.000Z`);
  // `Date` parses the 31st of April as the first of May, so such a day is rejected here.
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text) return null;
  return new Date(day.getTime() + daysLater * 86_400_000);
}

export const writeEventKey = ({ at, id }: EventKey): string => `${at.getTime()}-${id}`;

function readEventKey(text: string): EventKey | null {
  const [, time, id] = /^(\d{1,13})-([1-9]\d{0,9})$/.exec(text) ?? [];
  // No id is larger than the maximum of PostgreSQL's `integer`, and PostgreSQL rejects a comparison with a
  // larger number.
  return time === undefined || Number(id) >= 2 ** 31 ? null : { at: new Date(Number(time)), id: Number(id) };
}

/** The number of audit events on one page. */
export const EVENTS_PER_PAGE = 50;

/** Returns the page of audit events that a query requests. */
export const readEventPaging = (query: Query): KeysetPaging<EventKey> =>
  keysetPagingIn(query, EVENTS_PER_PAGE, readEventKey);
