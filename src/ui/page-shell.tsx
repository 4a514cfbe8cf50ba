import type { ReactNode } from "react";
import { Mark } from "./mark";

export type NavItem = Readonly<{ label: string; href: string; current: boolean }>;

/** The frame of a working page: top bar, side list, content. On a phone the side list is a row that scrolls. */
export function PageShell(props: {
  readonly brand: string;
  readonly nav: readonly NavItem[];
  readonly side: readonly NavItem[];
  readonly account: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <>
      <a href="#content" className="sr-only focus:not-sr-only focus:absolute focus:p-3">
        Skip to content
      </a>
      <header className="border-b border-line bg-panel">
        <div className="mx-auto flex min-h-13 max-w-250 items-center gap-6 px-4">
          <a href="/" className="flex items-center gap-2 font-semibold text-ink no-underline">
            <span className="text-accent">
              <Mark />
            </span>
            {props.brand}
          </a>
          <Nav label="Main" items={props.nav} row="flex gap-4" here="border-b-2 border-accent" />
          <div className="ml-auto flex items-center gap-3">{props.account}</div>
        </div>
      </header>
      <div className="mx-auto grid max-w-250 gap-6 px-4 py-6 md:grid-cols-[200px_minmax(0,1fr)] md:gap-10 md:py-8">
        {props.side.length > 0 ? (
          <Nav
            label="Settings"
            items={props.side}
            row="flex gap-1 overflow-x-auto md:grid md:content-start"
            here="rounded-control bg-soft font-semibold text-accent"
          />
        ) : null}
        <main id="content" className="grid max-w-190 min-w-0 content-start gap-6">
          {props.children}
        </main>
      </div>
    </>
  );
}

function Nav(props: {
  readonly label: string;
  readonly items: readonly NavItem[];
  readonly row: string;
  readonly here: string;
}) {
  if (props.items.length === 0) return null;
  return (
    <nav aria-label={props.label}>
      <ul className={props.row}>
        {props.items.map((item) => (
          <li key={item.href}>
            <a
              href={item.href}
              aria-current={item.current ? "page" : undefined}
              className={`block px-2.5 py-2 whitespace-nowrap no-underline ${item.current ? props.here : "text-muted hover:text-ink"}`}
            >
              {item.label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The head of a page: what it is, one sentence, and the one main action. */
export function PageHead(props: {
  readonly title: string;
  readonly about?: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-4">
      <div className="grid min-w-60 flex-1 gap-2">
        <h1 className="text-title font-semibold break-words">{props.title}</h1>
        {props.about ? <p className="text-muted">{props.about}</p> : null}
      </div>
      {props.action}
    </div>
  );
}
