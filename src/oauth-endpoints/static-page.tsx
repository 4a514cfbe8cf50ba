import { AsyncLocalStorage } from "node:async_hooks";
import type { ReactNode } from "react";
import { documentTitle } from "@/kernel/config/product";
import { staticPageSecurityPolicy } from "@/kernel/http/content-security-policy";
import type { Theme } from "@/kernel/http/theme";
import { processWide } from "@/kernel/process/process-wide";
import { DecisionCard } from "@/ui/decision-card";
import { Document, ICON_URL } from "@/ui/document";

const themes = processWide("page-theme", () => new AsyncLocalStorage<Theme | undefined>());

/** Runs what makes a page in the theme that the browser has chosen. */
export const inTheme = <Result,>(theme: Theme | undefined, run: () => Result): Result =>
  themes().run(theme, run);

type StaticPageOptions = Readonly<{
  /** A redirect URI that the page's form may lead to. */
  formTarget?: string | null;
  /** Whether the page's form tells its target our origin; else it sends `Origin: null` to other sites. */
  sendsOrigin?: boolean;
  /** What the page's one script carries. */
  nonce?: string;
  /** Where the page goes by itself, and after how many seconds. */
  refresh?: Readonly<{ afterSeconds: number; to: string }>;
}>;

/**
 * A page of the authorization endpoints, and every page that reports an error: a static document without the page
 * framework, which would add its scripts and four times the processor time (docs/decisions/0055).
 */
export async function staticPage(
  status: number,
  title: string,
  body: ReactNode,
  allowed: StaticPageOptions = {},
): Promise<Response> {
  const { renderToStaticMarkup } = await import("react-dom/server");
  const html = renderToStaticMarkup(
    <Document
      theme={themes().getStore()}
      head={
        <>
          <meta charSet="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>{documentTitle(title)}</title>
          <link rel="icon" href={ICON_URL} type="image/svg+xml" />
          <link rel="stylesheet" href="/gatehouse.css" />
        </>
      }
    >
      {body}
    </Document>,
  );
  return new Response(`<!DOCTYPE html>${html}`, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": staticPageSecurityPolicy(allowed),
      "cache-control": "no-store",
      // Never more than the origin: the URL of the page has the authorization request.
      "referrer-policy": allowed.sendsOrigin ? "strict-origin" : "same-origin",
      "x-frame-options": "DENY",
      // What the page asks about is over by then, so there is nothing that more time could be given for.
      ...(allowed.refresh && { refresh: `${allowed.refresh.afterSeconds}; url=${allowed.refresh.to}` }),
    },
  });
}

export type Message = Readonly<{
  title: string;
  /** What the card says in place of the title. */
  heading?: string;
  text: ReactNode;
}>;

/** A page with one sentence. @param actions what can be done next. */
export const messagePage = (
  status: number,
  { title, heading = title, text }: Message,
  actions?: ReactNode,
  allowed?: StaticPageOptions,
): Promise<Response> =>
  staticPage(
    status,
    title,
    <DecisionCard title={heading}>
      <p className="text-center text-muted">{text}</p>
      {actions}
    </DecisionCard>,
    allowed,
  );
