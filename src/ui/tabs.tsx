export type Tab = Readonly<{ label: string; href: string; current: boolean; count?: number | null }>;

/** A row of links to the views of a list. A row that is too wide scrolls on a phone, and wraps on a wide screen. */
export function Tabs(props: { readonly label: string; readonly tabs: readonly Tab[] }) {
  return (
    <nav aria-label={props.label} className="scroll-row -mx-4 px-4 sm:mx-0 sm:px-0">
      <ul className="flex gap-4 border-line border-b max-md:w-max max-md:min-w-full md:flex-wrap md:gap-y-0">
        {props.tabs.map(({ label, href, current, count }) => (
          <li key={href}>
            <a
              href={href}
              aria-current={current ? "page" : undefined}
              className={`-mb-px flex min-h-11 items-center gap-2 border-b-2 px-1 whitespace-nowrap no-underline ${
                current ? "border-accent text-ink" : "border-transparent text-muted hover:text-ink"
              }`}
            >
              {label}
              {count === undefined || count === null ? null : (
                <span className="text-small text-muted tabular-nums">{count}</span>
              )}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
