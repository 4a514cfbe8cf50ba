import { EmptyState } from "@/ui/empty-state";
import { OneLine } from "@/ui/one-line";
import type { SearchSection } from "../rules";

/** The results of the search page, in one list for each kind. */
export function SearchResults(props: {
  readonly search: string;
  readonly sections: readonly SearchSection[];
  readonly admin: boolean;
}) {
  const { search, sections, admin } = props;
  if (sections.length === 0)
    return (
      <EmptyState title={`No results for “${search}”`}>
        Check the spelling, or enter fewer characters. Projects and applications that you cannot access are
        not shown.
      </EmptyState>
    );
  return (
    <>
      {sections.map(({ title, results }) => (
        <section key={title} aria-label={title} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2">
          <h2 className="font-semibold">{title}</h2>
          <ul className="divide-y divide-line rounded-card border border-line bg-panel">
            {results.map(({ label, detail, href }) => (
              <li key={`${href} ${detail}`}>
                <a
                  href={href}
                  className="flex flex-wrap items-baseline justify-between gap-x-4 px-4 py-2.5 text-ink no-underline hover:bg-ground md:flex-nowrap"
                >
                  <OneLine text={label} className="font-semibold" />
                  <OneLine text={detail} className="text-small text-muted md:max-w-1/2 md:shrink-0" />
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {admin && search !== "" ? (
        <p className="text-small text-muted">
          To search for a part of a name, open the list of all{" "}
          <a href={`/admin/users?search=${encodeURIComponent(search)}`}>users</a> or all{" "}
          <a href={`/admin/applications?search=${encodeURIComponent(search)}`}>applications</a>.
        </p>
      ) : null}
    </>
  );
}
