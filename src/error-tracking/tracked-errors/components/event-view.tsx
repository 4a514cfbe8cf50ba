import type { ReactNode } from "react";
import { Card } from "@/ui/card";
import { Pager } from "@/ui/pager";
import { Ago } from "@/ui/time";
import type { loadError } from "../loaders";
import type { StoredEvent } from "../service";
import { Breadcrumbs } from "./breadcrumbs";
import { StackTrace } from "./stack-trace";

type Shown = NonNullable<Awaited<ReturnType<typeof loadError>>["shown"]>;

/** One stored event, with links to the next newer and older events. */
export function EventView({ shown, now }: { readonly shown: Shown; readonly now: Date }) {
  const { event, number, storedCount, previous, next } = shown;
  const { payload } = event;
  return (
    <>
      <section className="grid gap-3" aria-label="Event">
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
      <Card title="Error">
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
          title="Breadcrumbs"
          about="Actions that the program recorded before the error. Times are in UTC."
        >
          <Breadcrumbs crumbs={payload.breadcrumbs} />
        </Card>
      )}
      <Request request={payload.request} />
      <Pairs title="Tags" pairs={payload.tags} />
      <Pairs title="Environment" pairs={environment(event)} />
    </>
  );
}

type NamedPairs = readonly (readonly [string, string])[];

function Request({ request }: { readonly request: StoredEvent["payload"]["request"] }) {
  if (request === null) return null;
  const { method, url, query, headers } = request;
  return (
    <Card title="Request">
      <p className="text-small wrap-anywhere">
        <strong>{method}</strong> <code>{url}</code>
      </p>
      <Rows pairs={[...(query === "" ? [] : [["Query", query] as const]), ...headers]} />
    </Card>
  );
}

function Pairs({ title, pairs }: { readonly title: string; readonly pairs: NamedPairs }): ReactNode {
  return pairs.length === 0 ? null : (
    <Card title={title}>
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

/** Returns the affected user, the runtime, the server and other properties of an event. */
function environment({ payload }: StoredEvent): NamedPairs {
  const { user, contexts, sdk, serverName, transaction, logger } = payload;
  const nameAndVersion = (identity: Readonly<{ name: string; version: string }> | null | undefined) =>
    identity ? `${identity.name} ${identity.version}`.trim() : "";
  const pairs = [
    ["User", [user?.username, user?.id].filter(Boolean).join(", ")],
    ["Transaction", transaction],
    ["Runtime", nameAndVersion(contexts.runtime)],
    ["Browser", nameAndVersion(contexts.browser)],
    ["System", nameAndVersion(contexts.os)],
    ["Device", nameAndVersion(contexts.device)],
    ["Server", serverName],
    ["Logger", logger],
    ["Library", nameAndVersion(sdk)],
  ] as const;
  return pairs.filter(([, value]) => value !== "");
}
