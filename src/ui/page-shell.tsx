import type { ReactNode } from "react";
import { iconPath } from "./icon";
import { Mark } from "./mark";
import { Nav, type NavItem } from "./nav";

/**
 * The frame of a page: top bar, side navigation and content. On a phone, the side navigation is a row that
 * scrolls horizontally.
 */
export function PageShell(props: {
  readonly brand: string;
  readonly nav: readonly NavItem[];
  readonly side?: { readonly label: string; readonly items: readonly NavItem[] };
  readonly account: ReactNode;
  readonly footer: ReactNode;
  readonly children: ReactNode;
}) {
  const columns = props.side === undefined ? "" : "md:grid-cols-[244px_minmax(0,1fr)] md:gap-6";
  return (
    <div className="grid min-h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr_auto]">
      <header className="border-b border-line bg-panel">
        <a
          href="#content"
          className="sr-only focus:not-sr-only focus:absolute focus:z-10 focus:bg-panel focus:p-3"
        >
          Skip to content
        </a>
        <div className="mx-auto flex min-h-13 max-w-250 items-center gap-3 px-4 sm:gap-6">
          <a
            href="/"
            aria-label={`${props.brand}: home`}
            className="flex items-center gap-2 font-semibold text-ink no-underline"
          >
            <span className="text-accent">
              <Mark />
            </span>
            <span className="hidden sm:inline">{props.brand}</span>
          </a>
          <Nav label="Main" kind="bar" items={props.nav.map(withIconPath)} />
          <div className="ml-auto flex items-center gap-3">{props.account}</div>
        </div>
      </header>
      <div className={`mx-auto grid w-full max-w-250 content-start gap-6 px-4 py-6 md:py-8 ${columns}`}>
        {props.side === undefined ? null : (
          <Nav label={props.side.label} kind="side" items={props.side.items.map(withIconPath)} />
        )}
        <main
          id="content"
          className={`grid min-w-0 content-start gap-6 ${props.side === undefined ? "" : "max-w-190"}`}
        >
          {props.children}
        </main>
      </div>
      <footer className="mx-auto flex w-full max-w-250 flex-wrap items-center gap-x-6 gap-y-2 px-4 py-6 text-small text-muted">
        {props.footer}
      </footer>
    </div>
  );
}

const withIconPath = ({ icon, ...item }: NavItem) => ({
  ...item,
  iconPath: icon === undefined ? null : iconPath(icon),
});

/** The head of a page: its title, one sentence, and the main action. */
export function PageHead(props: {
  readonly title: string;
  readonly about?: ReactNode;
  /** The avatar of the object that the page shows. */
  readonly avatar?: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-4">
      <div className="flex min-w-60 flex-1 items-start gap-4">
        {props.avatar}
        <div className="grid min-w-0 flex-1 gap-2">
          <h1 className="text-title font-semibold wrap-anywhere">
            <bdi>{props.title}</bdi>
          </h1>
          {props.about ? <p className="text-muted wrap-anywhere">{props.about}</p> : null}
        </div>
      </div>
      {props.action}
    </div>
  );
}
