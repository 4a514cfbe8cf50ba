import type { Section } from "@/ui/section-nav";
import type { StoredEvent } from "../service";
import { environmentOf } from "./event-environment";

/** The sections of an event on the page of a tracked error. */
export const EVENT_SECTIONS = {
  event: { id: "section-event", label: "Event" },
  error: { id: "section-error", label: "Error" },
  breadcrumbs: { id: "section-breadcrumbs", label: "Breadcrumbs" },
  request: { id: "section-request", label: "Request" },
  tags: { id: "section-tags", label: "Tags" },
  environment: { id: "section-environment", label: "Environment" },
} as const satisfies Record<string, Section>;

export const FACTS_SECTION: Section = { id: "section-facts", label: "Details" };
export const COUNTS_SECTION: Section = { id: "section-counts", label: "Counts" };

/**
 * Returns the sections of the page of a tracked error, in the order of the page and without the comments.
 * @param event the event that the page shows; null if no event is stored.
 */
export function errorSections(event: StoredEvent | null): readonly Section[] {
  return [...(event === null ? [] : eventSections(event)), FACTS_SECTION, COUNTS_SECTION];
}

function eventSections(event: StoredEvent): readonly Section[] {
  const { breadcrumbs, request, tags } = event.payload;
  const sections = EVENT_SECTIONS;
  return [
    sections.event,
    sections.error,
    ...(breadcrumbs.length === 0 ? [] : [sections.breadcrumbs]),
    ...(request === null ? [] : [sections.request]),
    ...(tags.length === 0 ? [] : [sections.tags]),
    ...(environmentOf(event).length === 0 ? [] : [sections.environment]),
  ];
}
