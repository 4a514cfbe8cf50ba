import type { BrowserContext } from "@playwright/test";
import { test as base, expect } from "../oauth/fixtures.ts";
import { watch } from "../watched.ts";

export { expect, newRun, open, signIn, withPkce } from "../oauth/fixtures.ts";

/**
 * A test function for pages: a test fails when its browser reports an error. With `watch`, a test also checks
 * the browser contexts of other users.
 */
export const test = base.extend<{ watch: (context: BrowserContext) => void }>({
  watch: [
    async ({ context, instance }, use) => {
      const complaints: string[] = [];
      const watched = (target: BrowserContext): void => watch(target, instance.baseUrl, complaints);
      watched(context);
      await use(watched);
      expect(complaints, "errors that the browser reported").toEqual([]);
    },
    { auto: true },
  ],
});
