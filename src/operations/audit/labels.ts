import type { AuditName } from "@/instance/audit/catalog";
import { visibleName } from "@/kernel/text/visible";
import { CODE_EVENTS } from "./code-events";
import type { EventLabel } from "./event-label";
import { IDENTITY_EVENTS } from "./identity-events";
import { INSTANCE_EVENTS } from "./instance-events";
import { INTEGRATION_EVENTS } from "./integration-events";
import { OAUTH_EVENTS } from "./oauth-events";
import { WORKSPACE_EVENTS } from "./workspace-events";

/** The descriptions of all audit events. */
const WORDS: { readonly [Name in AuditName]: EventLabel<Name> } = {
  ...IDENTITY_EVENTS,
  ...OAUTH_EVENTS,
  ...WORKSPACE_EVENTS,
  ...CODE_EVENTS,
  ...INTEGRATION_EVENTS,
  ...INSTANCE_EVENTS,
};

/** All names of audit events with their labels. */
export const EVENT_LABELS: readonly Readonly<{ name: AuditName; label: string }>[] = (
  Object.keys(WORDS) as AuditName[]
).map((name) => ({ name, label: WORDS[name].label }));

export const isAuditName = (name: string): name is AuditName => Object.hasOwn(WORDS, name);

/**
 * Returns the label of an audit event. If another version of Gatehouse recorded the event, the label may be
 * unknown, and the function returns the name of the event.
 */
export const labelOf = (name: string): string => (isAuditName(name) ? WORDS[name].label : name);

/**
 * Returns the sentence of an audit event, with the placeholders `{user}` and `{application}`. If another
 * version of Gatehouse recorded the event, the sentence may be unknown, and the function returns the name of
 * the event.
 */
export function describeEvent(name: string, details: string): string {
  if (!isAuditName(name)) return name;
  // The catalog of audit events defines the type of the details that `record` stores, so the details match
  // the name of the event.
  const { sentence } = WORDS[name] as EventLabel<AuditName>;
  try {
    return sentence(JSON.parse(details, displayedValue) as never);
  } catch {
    return name;
  }
}

/**
 * Converts a value from the details of an audit event into the text that the sentence displays. A user may
 * have chosen the value as a name. Therefore, the value must not change the direction of the surrounding
 * text, and must not be read as a placeholder.
 */
const displayedValue = (_key: string, value: unknown): unknown =>
  typeof value === "string" ? visibleName(value).replaceAll(/\{(user|application)\}/g, "($1)") : value;
