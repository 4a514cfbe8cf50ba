"use client";

import { usePathname } from "next/navigation";

export type NavItem = Readonly<{
  label: string;
  href: string;
  /** Further URLs for which this navigation entry is marked as current. */
  also?: readonly string[];
}>;

/** A navigation list; the entry of the current page is marked. */
export function Nav(props: {
  readonly label: string;
  readonly items: readonly NavItem[];
  readonly kind: "bar" | "side";
}) {
  const path = usePathname();
  const here = nearest(props.items, path);
  const { row, item, current } = LOOKS[props.kind];
  return (
    <nav aria-label={props.label} className="min-w-0">
      <ul className={row}>
        {props.items.map(({ href, label }) => (
          <li key={href}>
            <a
              href={href}
              aria-current={href === here ? "page" : undefined}
              className={`${item} ${href === here ? current : "text-muted hover:text-ink"}`}
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const LOOKS = {
  bar: {
    row: "scroll-row flex sm:gap-3",
    item: "flex min-h-13 items-center px-1.5 whitespace-nowrap no-underline",
    current: "border-b-2 border-accent text-ink",
  },
  side: {
    row: "scroll-row -mx-4 flex gap-1 px-4 md:mx-0 md:grid md:content-start md:px-0",
    item: "block rounded-control px-2.5 py-2 whitespace-nowrap no-underline md:whitespace-normal",
    current: "bg-soft font-semibold text-accent",
  },
} as const;

/** Returns the entry with a URL that is the longest prefix of the path. */
const nearest = (items: readonly NavItem[], path: string): string | undefined =>
  items
    .flatMap(({ href, also = [] }) => [href, ...also].map((beginning) => ({ href, beginning })))
    .filter(({ beginning: to }) => path === to || path.startsWith(to === "/" ? "/ " : `${to}/`))
    .toSorted((a, b) => b.beginning.length - a.beginning.length)[0]?.href;
