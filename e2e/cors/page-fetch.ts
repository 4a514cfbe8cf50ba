import type { Frame, Page } from "@playwright/test";

/** The result of a `fetch` in a page: the response, or the fact that the browser blocked the request. */
export type FetchResult =
  | Readonly<{ blocked: false; status: number; body: Record<string, unknown> | null }>
  | Readonly<{ blocked: true }>;

export type Call = Readonly<{
  method?: string;
  headers?: Readonly<Record<string, string>>;
  form?: Readonly<Record<string, string>>;
  credentials?: RequestCredentials;
}>;

/**
 * Calls `fetch` in the page, so that the browser sends the origin and the cookies of the page and applies the
 * CORS rules.
 */
export const fetchIn = (page: Page | Frame, url: string, call: Call = {}): Promise<FetchResult> =>
  page.evaluate(
    async ({ url, call }): Promise<FetchResult> => {
      const { form, ...options } = call;
      const body = form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) };
      try {
        const response = await fetch(url, { ...body, ...options });
        const text = await response.text();
        return { blocked: false, status: response.status, body: text === "" ? null : JSON.parse(text) };
      } catch (cause) {
        // When the browser blocks a response, the page receives only a `TypeError`.
        if (cause instanceof TypeError) return { blocked: true };
        throw cause;
      }
    },
    { url, call },
  );

export const BLOCKED: FetchResult = { blocked: true };

/** Returns the expected result, for `toMatchObject`, of a `fetch` whose response the page could read. */
export const readable = (status: number, body: object | null): Record<string, unknown> => ({
  blocked: false,
  status,
  body,
});

export const bearer = (token: unknown): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${token}`,
});
