import type { BrowserContext } from "@playwright/test";
import { test as base, expect } from "../oauth/fixtures.ts";
import { watch } from "../watched.ts";

export { expect, newRun, open, signIn, withPkce } from "../oauth/fixtures.ts";

/**
 * A person's way through the pages: it fails when a browser complains of anything on the way. `watch` has the browsers
 * of other people watched too.
 */
export const test = base.extend<{ watch: (context: BrowserContext) => void }>({
  watch: [
    async ({ context, instance }, use) => {
      const complaints: string[] = [];
      const watched = (one: BrowserContext): void => watch(one, instance.baseUrl, complaints);
      watched(context);
      await use(watched);
      expect(complaints, "what the browser complained of").toEqual([]);
    },
    { auto: true },
  ],
});
