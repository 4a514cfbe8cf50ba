/** The number of links before and after the current page. */
const BESIDE = 2;

/**
 * Links to the first page of a list, to the last page, and to the pages next to the current page. A list with one
 * page has no links.
 */
export function PageNumbers(props: {
  readonly page: number;
  readonly pages: number;
  readonly hrefOf: (page: number) => string;
}) {
  const { page, pages, hrefOf } = props;
  if (pages <= 1) return null;
  const numbers = Array.from({ length: pages }, (_, at) => at + 1).filter(
    (number) => number === 1 || number === pages || Math.abs(number - page) <= BESIDE,
  );
  return (
    <nav aria-label="Pages of this list">
      <ul className="flex flex-wrap gap-1">
        {numbers.map((number, at) => (
          <li key={number} className="flex items-center gap-1">
            {at > 0 && number - (numbers[at - 1] ?? 0) > 1 ? <span aria-hidden="true">…</span> : null}
            <a
              href={hrefOf(number)}
              aria-label={`Page ${number}`}
              aria-current={number === page ? "page" : undefined}
              className={`grid min-h-9 min-w-9 place-items-center rounded-control px-2 no-underline tabular-nums hover:bg-soft ${
                number === page ? "bg-soft font-semibold text-ink" : ""
              }`}
            >
              {number}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
