import { Button } from "@/ui/button";
import { Field } from "@/ui/field";

/** Looks for something in a list; the answer is the same page, so it can be kept as an address. */
export function SearchForm(props: {
  readonly action: string;
  readonly label: string;
  readonly hint: string;
  readonly search: string;
}) {
  return (
    <search>
      <form action={props.action} className="flex flex-wrap items-end gap-3">
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
        {props.search === "" ? null : <a href={props.action}>Show all</a>}
      </form>
    </search>
  );
}
