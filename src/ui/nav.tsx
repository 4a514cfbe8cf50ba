"use client";

import { usePathname } from "next/navigation";
import type { IconName } from "./icon";
import { IconShape } from "./icon-shape";

export type NavItem = Readonly<{
  label: string;
  href: string;
  icon?: IconName;
  /** Other URLs for which this navigation entry is marked as current. */
  also?: readonly string[];
}>;

/**
 * A navigation list, in which the entry of the current page is marked. The server passes the paths of the icons,
 * so that the script does not contain the icons.
 */
export function Nav(props: {
  readonly label: string;
  readonly items: readonly (Omit<NavItem, "icon"> & Readonly<{ iconPath: string | null }>)[];
  readonly kind: "bar" | "side";
}) {
  const path = usePathname();
  const here = nearest(props.items, path);
  const { row, item, current, other } = LOOKS[props.kind];
  return (
    <nav aria-label={props.label} className="min-w-0">
      <ul className={row}>
        {props.items.map(({ href, label, iconPath }) => (
          <li key={href}>
            <a
              href={href}
              aria-current={href === here ? "page" : undefined}
              className={`${item} ${href === here ? current : other}`}
            >
              {iconPath === null ? null : <IconShape path={iconPath} />}
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
    item: "flex min-h-13 items-center gap-2 border-b-2 px-1.5 whitespace-nowrap no-underline max-sm:px-1 max-sm:text-small max-sm:[&>svg]:hidden",
    current: "border-accent font-medium text-ink",
    other: "border-transparent text-muted hover:text-ink",
  },
  side: {
    row: "scroll-row -mx-4 flex gap-1 px-4 md:sticky md:top-6 md:mx-0 md:grid md:max-h-[calc(100dvh-3rem)] md:content-start md:gap-0.5 md:overflow-y-auto md:px-0",
    item: "flex items-center gap-2.5 rounded-control px-2.5 py-2 whitespace-nowrap no-underline md:whitespace-normal",
    current: "bg-soft font-semibold text-accent",
    other: "text-muted hover:bg-soft hover:text-ink",
  },
} as const;

/** Returns the navigation entry whose URL is the longest prefix of the path. */
const nearest = (items: readonly Omit<NavItem, "icon">[], path: string): string | undefined =>
  items
    .flatMap(({ href, also = [] }) => [href, ...also].map((beginning) => ({ href, beginning })))
    .filter(({ beginning: to }) => path === to || path.startsWith(to === "/" ? "/ " : `${to}/`))
    .toSorted((a, b) => b.beginning.length - a.beginning.length)[0]?.href;
