import { Button } from "./button";
import { Field } from "./field";

/**
 * The search form of a list. The search form requests the current page with a query, so that every search has
 * a URL.
 */
export function SearchForm(props: {
  readonly action: string;
  readonly label: string;
  readonly hint?: string;
  readonly search: string;
  /** The additional query parameters of the current page, which the search form keeps. */
  readonly keep?: Readonly<Record<string, string>>;
}) {
  const { keep = {} } = props;
  const parameters = Object.entries(keep).filter(([, value]) => value !== "");
  const all = new URLSearchParams(parameters);
  return (
    <search>
      <form action={props.action} className="flex flex-wrap items-end gap-3">
        {parameters.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <div className="min-w-60 flex-1">
          <Field
            id="search"
            name="search"
            type="search"
            label={props.label}
            hint={props.hint}
            defaultValue={props.search}
            maxLength={100}
            autoComplete="off"
            spellCheck={false}
            autoCapitalize="none"
          />
        </div>
        <Button>Search</Button>
        {props.search === "" ? null : (
          <a href={all.size === 0 ? props.action : `${props.action}?${all}`} className="py-2.5">
            Show all
          </a>
        )}
      </form>
    </search>
  );
}
