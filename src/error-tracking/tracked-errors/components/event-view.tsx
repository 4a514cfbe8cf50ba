import type { ReactNode } from "react";
import { Card } from "@/ui/card";
import { Pager } from "@/ui/pager";
import type { Section } from "@/ui/section-nav";
import { Ago } from "@/ui/time";
import type { loadError } from "../loaders";
import type { StoredEvent } from "../service";
import { Breadcrumbs } from "./breadcrumbs";
import { EVENT_SECTIONS } from "./error-sections";
import { environmentOf, type NamedPairs } from "./event-environment";
import { StackTrace } from "./stack-trace";

type Shown = NonNullable<Awaited<ReturnType<typeof loadError>>["shown"]>;

/** One stored event, with links to the next newer and older events. */
export function EventView({ shown, now }: { readonly shown: Shown; readonly now: Date }) {
  const { event, number, storedCount, previous, next } = shown;
  const { payload } = event;
  return (
    <>
      <section id={EVENT_SECTIONS.event.id} className="grid gap-3" aria-label="Event">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <h2 className="font-semibold">{number === 1 ? "Latest event" : "Older event"}</h2>
          <p className="text-muted text-small">
            {number} of {storedCount} stored events
          </p>
        </div>
        <p className="text-muted text-small wrap-anywhere">
          <Ago at={event.occurredAt} now={now} />
          {[event.environment, event.release].filter((text) => text !== "").map((text) => ` · ${text}`)}
          {" · "}
          <code>{event.eventId}</code>
        </p>
        <Pager previous={previous} next={next} newestFirst />
      </section>
      <Card id={EVENT_SECTIONS.error.id} title={EVENT_SECTIONS.error.label}>
        {payload.exceptions.length === 0 ? (
          <p className="whitespace-pre-wrap wrap-anywhere" dir="auto">
            {payload.message || "The event has no message and no stack trace."}
          </p>
        ) : (
          <StackTrace exceptions={payload.exceptions} />
        )}
      </Card>
      {payload.breadcrumbs.length === 0 ? null : (
        <Card
          id={EVENT_SECTIONS.breadcrumbs.id}
          title={EVENT_SECTIONS.breadcrumbs.label}
          about="Actions that the program recorded before the error. Times are in UTC."
        >
          <Breadcrumbs crumbs={payload.breadcrumbs} />
        </Card>
      )}
      <Request request={payload.request} />
      <Pairs section={EVENT_SECTIONS.tags} pairs={payload.tags} />
      <Pairs section={EVENT_SECTIONS.environment} pairs={environmentOf(event)} />
    </>
  );
}

function Request({ request }: { readonly request: StoredEvent["payload"]["request"] }) {
  if (request === null) return null;
  const { method, url, query, headers } = request;
  return (
    <Card id={EVENT_SECTIONS.request.id} title={EVENT_SECTIONS.request.label}>
      <p className="text-small wrap-anywhere">
        <strong>{method}</strong> <code>{url}</code>
      </p>
      <Rows pairs={[...(query === "" ? [] : [["Query", query] as const]), ...headers]} />
    </Card>
  );
}

function Pairs({ section, pairs }: { readonly section: Section; readonly pairs: NamedPairs }): ReactNode {
  return pairs.length === 0 ? null : (
    <Card id={section.id} title={section.label}>
      <Rows pairs={pairs} />
    </Card>
  );
}

const Rows = ({ pairs }: { readonly pairs: NamedPairs }) => (
  <dl className="grid gap-2 text-small">
    {pairs.map(([name, value], at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a name may occur twice, and the list never changes.
      <div key={at} className="grid gap-x-4 sm:grid-cols-[10rem_minmax(0,1fr)]">
        <dt className="text-muted wrap-anywhere">{name}</dt>
        <dd className="min-w-0 wrap-anywhere" dir="auto">
          {value}
        </dd>
      </div>
    ))}
  </dl>
);
