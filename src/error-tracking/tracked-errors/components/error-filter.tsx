import { urlWithQuery } from "@/kernel/http/query";
import { Button } from "@/ui/button";
import { Field, SelectField } from "@/ui/field";
import { Tabs } from "@/ui/tabs";
import { STATUSES } from "../rules";
import { type ErrorSearch, parametersOf } from "../schema";
import { STATUS_WORDS } from "./error-badges";

type Props = Readonly<{ home: string; search: ErrorSearch; total: number }>;

/**
 * The filters of the list of tracked errors. The URL contains the filters, so that users can bookmark a
 * filtered list.
 */
export function ErrorFilter({ home, search, total }: Props) {
  const tab = (status: ErrorSearch["status"]) => ({
    label: status === "all" ? "All" : STATUS_WORDS[status],
    href: urlWithQuery(home, parametersOf({ ...search, status })),
    current: search.status === status,
    count: search.status === status ? total : null,
  });
  const { status } = parametersOf(search);
  const isNarrowed = search.environment !== "" || search.search !== "";
  return (
    <>
      <Tabs label="Status" tabs={[...STATUSES, "all" as const].map(tab)} />
      <search>
        <form
          action={home}
          className="grid grid-cols-2 items-end gap-3 md:grid-cols-[2fr_1.2fr_1.2fr_1.2fr_auto]"
        >
          {status === "" ? null : <input type="hidden" name="status" value={status} />}
          <div className="max-md:col-span-2">
            <Field
              id="search"
              name="search"
              type="search"
              label="Search"
              defaultValue={search.search}
              maxLength={100}
              autoComplete="off"
              spellCheck={false}
            />
          </div>
          <div className="max-md:col-span-2">
            <Field
              id="environment"
              name="environment"
              label="Environment"
              placeholder="Any"
              defaultValue={search.environment}
              maxLength={100}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          </div>
          <SelectField id="sort" name="sort" label="Sort by" defaultValue={search.sort}>
            <option value="last_seen">Last seen</option>
            <option value="first_seen">First seen</option>
            <option value="count">Most events</option>
          </SelectField>
          <SelectField id="range" name="range" label="Chart" defaultValue={search.range}>
            <option value="24h">24 hours</option>
            <option value="14d">14 days</option>
          </SelectField>
          <div className="flex flex-wrap items-center gap-3 max-md:col-span-2">
            <Button>Show</Button>
            {isNarrowed ? (
              <a href={urlWithQuery(home, parametersOf({ ...search, environment: "", search: "" }))}>
                Show all
              </a>
            ) : null}
          </div>
        </form>
      </search>
    </>
  );
}
