import type { Event } from "./history";

const COLUMNS = ["id", "at", "event", "actor", "person", "application", "application_id", "details"] as const;

/** The formats in which events can be exported. */
export const EVENT_FILES = {
  csv: {
    type: "text/csv; charset=utf-8",
    head: `${COLUMNS.join(",")}\r\n`,
    line: (event: Event): string => `${Object.values(fields(event)).map(cell).join(",")}\r\n`,
  },
  jsonl: {
    type: "application/jsonl; charset=utf-8",
    head: "",
    line: (event: Event): string =>
      `${JSON.stringify({ ...fields(event), details: parsed(event.details) })}\n`,
  },
} as const;

export type EventFormat = keyof typeof EVENT_FILES;

export const isEventFormat = (text: string): text is EventFormat => Object.hasOwn(EVENT_FILES, text);

const fields = (event: Event): Record<(typeof COLUMNS)[number], string | number | null> => ({
  id: event.id,
  at: event.at.toISOString(),
  event: event.name,
  // The exported actor name of an audit event that a command of the command line caused. A username cannot
  // contain a space, so the name of this actor never equals a username.
  actor: event.byCommandLine ? "command line" : (event.actor?.name ?? null),
  person: event.user?.name ?? null,
  application: event.application?.name ?? null,
  application_id: event.application?.id ?? null,
  details: event.details,
});

/**
 * Formats a field of a CSV file (RFC 4180). If the field begins with `=`, `+`, `-` or `@`, possibly after
 * spaces, the function adds an apostrophe. Without the apostrophe, spreadsheet programs would execute the
 * field as a formula.
 */
function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  // A character after a semicolon may also begin a field: in countries with a decimal comma, spreadsheet
  // programs use the semicolon as the field separator.
  const text = value.replace(/^(?=[\t\r\n])|(^|;)(?=\s*[=+\-@])/g, "$1'");
  return /[",\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const parsed = (details: string): unknown => {
  try {
    return JSON.parse(details);
  } catch {
    return details;
  }
};
