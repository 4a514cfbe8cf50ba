import { EmptyState } from "@/ui/empty-state";
import { Table } from "@/ui/table";
import { Ago } from "@/ui/time";
import type { Event, EventSubject } from "../history";

const COLUMNS = [{ name: "What happened" }, { name: "When" }];

/** The table of audit events as sentences, newest first. */
export function EventTable(props: { readonly events: readonly Event[]; readonly now: Date }) {
  if (props.events.length === 0)
    return (
      <EmptyState title="No event matches this filter">
        Remove a filter or choose an earlier start date.
      </EmptyState>
    );
  const rows = props.events.map((event) => ({
    key: event.id,
    cells: [
      <What key="what" event={event} />,
      <span key="when" className="md:whitespace-nowrap">
        <Ago at={event.at} now={props.now} />
      </span>,
    ],
  }));
  return <Table caption="Audit events" columns={COLUMNS} rows={rows} />;
}

function What({ event }: { readonly event: Event }) {
  const { actor, sentence } = event;
  const parts = sentence.split(/(\{user\}|\{application\})/);
  return (
    <span className="grid min-w-0 wrap-anywhere">
      <span>
        {actor === null ? nobody(event) : <User of={actor} />}{" "}
        {parts.map((part, at) => {
          // The parts of a sentence never change their order, so the index of a part is a stable key.
          const key = `${at}`;
          if (part === "{user}") return <User key={key} of={event.user} />;
          if (part === "{application}") return <Application key={key} of={event.application} />;
          return <bdi key={key}>{part}</bdi>;
        })}
        {event.byCommandLine && event.user !== null && !parts.includes("{user}") ? (
          <>
            {" "}
            for <User of={event.user} />
          </>
        ) : null}
      </span>
      <span className="text-small text-muted">
        {event.label} · #{event.id}
      </span>
    </span>
  );
}

function nobody({ name, byCommandLine }: Event): string {
  if (byCommandLine) return "The command line";
  return name.startsWith("sign_in.") ? "Somebody" : "The operator";
}

function User({ of }: { readonly of: EventSubject | null }) {
  if (!of?.name) return <>a deleted user</>;
  if (of.isDeleted) return <>@{of.name} (deleted)</>;
  return <a href={`/admin/users/${of.id}`}>@{of.name}</a>;
}

function Application({ of }: { readonly of: EventSubject | null }) {
  if (of === null) return "no application";
  return of.name === null ? (
    `a deleted application (#${of.id})`
  ) : (
    <a href={`/admin/applications/${of.id}`}>
      <bdi>{of.name}</bdi>
    </a>
  );
}
