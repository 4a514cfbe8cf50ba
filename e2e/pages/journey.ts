import { test as base, expect } from "../oauth/fixtures.ts";
import { watch } from "../watched.ts";

export { expect, newRun, open, signIn, withPkce } from "../oauth/fixtures.ts";

/** A person's way through the pages: it fails when the browser complains of anything on the way. */
export const test = base.extend<{ quiet: undefined }>({
  quiet: [
    async ({ context, instance }, use) => {
      const complaints = watch(context, instance.baseUrl);
      await use(undefined);
      expect(complaints(), "what the browser complained of").toEqual([]);
    },
    { auto: true },
  ],
});
