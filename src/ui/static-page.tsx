import { AsyncLocalStorage } from "node:async_hooks";
import type { ReactNode } from "react";
import { documentTitle } from "@/kernel/config/product";
import { staticPageSecurityPolicy } from "@/kernel/http/content-security-policy";
import type { Theme } from "@/kernel/http/theme";
import { processWide } from "@/kernel/process/process-wide";
import { DecisionCard } from "@/ui/decision-card";
import { Document, ICON_URL } from "@/ui/document";
import { PageScript } from "@/ui/page-script";

const themes = processWide("page-theme", () => new AsyncLocalStorage<Theme | undefined>());

/**
 * Calls a function and returns its result. The pages that the function renders use the theme that was chosen
 * in the browser.
 */
export const inTheme = <Result,>(theme: Theme | undefined, run: () => Result): Result =>
  themes().run(theme, run);

type StaticPageOptions = Readonly<{
  /** Whether the form of the page leads to a client, which may redirect to any site. */
  formLeaves?: boolean;
  /**
   * Whether the form sends the origin of this server to other sites. By default, the form sends `Origin:
   * null`.
   */
  sendsOrigin?: boolean;
  /** The nonce of the script of the page, which has only one script. */
  nonce?: string;
  /** Whether the page loads the script of all pages. The script needs a nonce. */
  script?: boolean;
  /** The automatic redirect of the browser: the delay in seconds, and the URL. */
  refresh?: Readonly<{ afterSeconds: number; to: string }>;
}>;

/**
 * Returns a page as a static HTML document that is rendered without the page framework. The framework would
 * add scripts and need four times the processor time (docs/decisions/0055, 0062).
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
          {allowed.script ? <PageScript nonce={allowed.nonce} /> : null}
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
      // The referrer policy sends at most the origin to other sites, because the URL of the page contains the
      // authorization request.
      "referrer-policy": allowed.sendsOrigin ? "strict-origin" : "same-origin",
      "x-frame-options": "DENY",
      // When the device authorization request that the page shows expires, the browser opens another page.
      // The user cannot extend the lifetime of the device authorization request.
      ...(allowed.refresh && { refresh: `${allowed.refresh.afterSeconds}; url=${allowed.refresh.to}` }),
    },
  });
}

export type Message = Readonly<{
  title: string;
  /** The heading of the card, if the heading differs from the title of the page. */
  heading?: string;
  text: ReactNode;
}>;

/**
 * Returns a page with one message.
 * @param actions links and forms for the next step.
 */
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
      <p className="text-center text-muted wrap-anywhere">{text}</p>
      {actions}
    </DecisionCard>,
    allowed,
  );
