/** Links to the previous and the next page of a list. A list with one page has no links. */
export function Pager(props: {
  readonly previous: string | null;
  readonly next: string | null;
  /** Whether the list begins with its newest row. */
  readonly newestFirst?: boolean;
}) {
  const { previous, next, newestFirst = false } = props;
  if (previous === null && next === null) return null;
  return (
    <nav aria-label="Pages of this list" className="flex gap-4">
      {previous === null ? null : <a href={previous}>← {newestFirst ? "Newer" : "Previous"}</a>}
      {next === null ? null : (
        <a href={next} className="ml-auto">
          {newestFirst ? "Older" : "Next"} →
        </a>
      )}
    </nav>
  );
}
