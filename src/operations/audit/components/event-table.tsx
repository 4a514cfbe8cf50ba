import { EmptyState } from "@/ui/empty-state";
import { isolated } from "@/ui/isolated";
import { OneLine } from "@/ui/one-line";
import { type Column, Table } from "@/ui/table";
import { Ago } from "@/ui/time";
import type { Event, EventSubject } from "../history";

const COLUMNS: readonly Column[] = [{ name: "What happened", width: "rest" }, { name: "When" }];

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
  const { actor, sentence, user } = event;
  const parts = sentence.split(/(\{user\}|\{application\})/);
  return (
    <span className="grid min-w-0 grid-cols-[minmax(0,1fr)]">
      <OneLine text={textOf(event)}>
        {actor === null ? nobody(event) : <User of={actor} />}{" "}
        {parts.map((part, at) => {
          // The parts of a sentence never change their order, so the index of a part is a stable key.
          const key = `${at}`;
          if (part === "{user}") return <User key={key} of={user} />;
          if (part === "{application}") return <Application key={key} of={event.application} />;
          return <bdi key={key}>{part}</bdi>;
        })}
        {isForUser(event) ? (
          <>
            {" "}
            for <User of={user} />
          </>
        ) : null}
      </OneLine>
      <span className="text-small text-muted wrap-anywhere">
        {event.label} · #{event.id}
      </span>
    </span>
  );
}

/** Returns whether the sentence of an event of the command line does not name the user of the event. */
const isForUser = ({ byCommandLine, user, sentence }: Event): boolean =>
  byCommandLine && user !== null && !sentence.includes("{user}");

/** Returns an audit event as a sentence without links. */
function textOf(event: Event): string {
  const { actor, user, application, sentence } = event;
  const named = sentence
    .replaceAll("{user}", () => isolated(userText(user)))
    .replaceAll("{application}", () => isolated(applicationText(application)));
  const subject = actor === null ? nobody(event) : userText(actor);
  return `${subject} ${named}${isForUser(event) ? ` for ${userText(user)}` : ""}`;
}

function nobody({ name, byCommandLine }: Event): string {
  if (byCommandLine) return "The command line";
  return name.startsWith("sign_in.") ? "Somebody" : "The operator";
}

function userText(user: EventSubject | null): string {
  if (!user?.name) return "a deleted user";
  return user.isDeleted ? `@${user.name} (deleted)` : `@${user.name}`;
}

function applicationText(application: EventSubject | null): string {
  if (application === null) return "no application";
  return application.name ?? `a deleted application (#${application.id})`;
}

function User({ of }: { readonly of: EventSubject | null }) {
  const text = userText(of);
  if (!of?.name || of.isDeleted) return text;
  return (
    <a href={`/admin/users/${of.id}`}>
      <OneLine text={text} className="md:max-w-60" />
    </a>
  );
}

function Application({ of }: { readonly of: EventSubject | null }) {
  const text = applicationText(of);
  if (of === null || of.name === null) return text;
  return (
    <a href={`/admin/applications/${of.id}`}>
      <OneLine text={text} className="md:max-w-60" />
    </a>
  );
}
