const WORDS = { newer: "Newer", older: "Older" };

/** Links to the previous and the next page of a list. A list with one page has no links. */
export function Pager(props: {
  readonly newer: string | null;
  readonly older: string | null;
  /** The labels of the links, for a list that is not ordered by time. */
  readonly words?: Readonly<{ newer: string; older: string }>;
}) {
  const { newer, older, words = WORDS } = props;
  if (newer === null && older === null) return null;
  return (
    <nav aria-label="Pages of this list" className="flex gap-4">
      {newer === null ? null : <a href={newer}>← {words.newer}</a>}
      {older === null ? null : (
        <a href={older} className="ml-auto">
          {words.older} →
        </a>
      )}
    </nav>
  );
}
