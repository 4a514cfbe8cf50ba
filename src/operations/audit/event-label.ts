import type { AuditEvents, AuditName } from "@/instance/audit/catalog";

/**
 * The description of an audit event. A page shows the name of the actor before `sentence`. The sentence may
 * contain the placeholders `{user}` and `{application}` for the subjects of the event.
 */
export type EventLabel<Name extends AuditName> = Readonly<{
  label: string;
  sentence: (details: AuditEvents[Name]) => string;
}>;

/** The descriptions of all audit events whose names begin with the prefix. */
export type EventLabels<Prefix extends string> = {
  readonly [Name in Extract<AuditName, `${Prefix}.${string}`>]: EventLabel<Name>;
};

export const listed = (words: readonly string[]): string => words.join(", ");

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
