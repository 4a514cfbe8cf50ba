import { Button, ButtonLink } from "@/ui/button";
import { Field, SelectField } from "@/ui/field";
import type { SearchProblems } from "../history";
import { EVENT_LABELS } from "../labels";
import type { EventSearch } from "../schema";

const BY_LABEL = EVENT_LABELS.toSorted((a, b) => a.label.localeCompare(b.label, "en"));

/**
 * The filter form of the event list. The form requests the page of audit events with a query string, so that
 * every filtered list has a URL.
 */
export function EventFilter(props: {
  readonly action: string;
  readonly search: EventSearch;
  readonly problems: SearchProblems;
}) {
  const { action, search, problems } = props;
  const problemsOf = (field: keyof EventSearch) => {
    const text = problems[field];
    return text === undefined ? undefined : [text];
  };
  return (
    <search>
      <form action={action} className="grid gap-4" noValidate>
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            id="name"
            name="name"
            label="Event"
            defaultValue={search.name}
            problems={problemsOf("name")}
          >
            <option value="">All</option>
            {BY_LABEL.map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </SelectField>
          <Text id="person" label="Username or e-mail" search={search} problems={problemsOf("person")} />
          <Text id="application" label="Application" search={search} problems={problemsOf("application")} />
          <div className="grid grid-cols-2 gap-4">
            <Text id="from" label="From (UTC)" type="date" search={search} problems={problemsOf("from")} />
            <Text id="to" label="To (UTC)" type="date" search={search} problems={problemsOf("to")} />
          </div>
        </div>
        <div className="flex flex-wrap gap-3">
          <Button>Filter</Button>
          {Object.values(search).some((text) => text !== "") ? (
            <ButtonLink href={action}>Show all</ButtonLink>
          ) : null}
        </div>
      </form>
    </search>
  );
}

const Text = (props: {
  readonly id: Exclude<keyof EventSearch, "name">;
  readonly label: string;
  readonly type?: "date";
  readonly search: EventSearch;
  readonly problems: readonly string[] | undefined;
}) => (
  <Field
    id={props.id}
    name={props.id}
    label={props.label}
    type={props.type ?? "text"}
    defaultValue={props.search[props.id]}
    problems={props.problems}
    maxLength={255}
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
  />
);
