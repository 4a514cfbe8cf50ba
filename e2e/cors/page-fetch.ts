import type { Frame, Page } from "@playwright/test";

/** What a script in a page could see of an answer: all of it, or that the browser kept it back. */
export type FetchResult =
  | Readonly<{ blocked: false; status: number; body: Record<string, unknown> | null }>
  | Readonly<{ blocked: true }>;

export type Call = Readonly<{
  method?: string;
  headers?: Readonly<Record<string, string>>;
  form?: Readonly<Record<string, string>>;
  credentials?: RequestCredentials;
}>;

/** `fetch` in the page itself: its origin, its cookies, and the browser's own rules. */
export const fetchIn = (page: Page | Frame, url: string, call: Call = {}): Promise<FetchResult> =>
  page.evaluate(
    async ({ url, call }): Promise<FetchResult> => {
      const { form, ...options } = call;
      const body = form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) };
      try {
        const answer = await fetch(url, { ...body, ...options });
        const text = await answer.text();
        return { blocked: false, status: answer.status, body: text === "" ? null : JSON.parse(text) };
      } catch (cause) {
        // A `TypeError` is all that a page is told of an answer that it may not read.
        if (cause instanceof TypeError) return { blocked: true };
        throw cause;
      }
    },
    { url, call },
  );

export const BLOCKED: FetchResult = { blocked: true };

/** An answer that the page could read, for `toMatchObject`. */
export const readable = (status: number, body: object | null): Record<string, unknown> => ({
  blocked: false,
  status,
  body,
});

export const bearer = (token: unknown): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${token}`,
});
