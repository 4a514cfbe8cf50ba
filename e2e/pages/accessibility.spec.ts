import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "../fixtures.ts";
import { watch } from "../watched.ts";
import { become, makeWorld, PLACES, type World } from "./places.ts";

const PHONE = { width: 390, height: 800 };
const DESK = { width: 1280, height: 800 };

/** Beside everything in the light, on a desk: what colours and room decide. The rest is the same page again. */
const SEEN_ANEW = ["color-contrast", "target-size", "scrollable-region-focusable", "link-in-text-block"];

let world: World;

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ instance }) => {
  world = await makeWorld(instance);
});

for (const who of ["nobody", "ann", "mia", "root"] as const)
  test(`every page that ${who} meets has no accessibility violation, in either theme, at either width`, async ({
    page,
    instance,
  }) => {
    test.setTimeout(240_000);
    const complaints: string[] = [];
    watch(page.context(), instance.baseUrl, complaints);
    await become(page, world, who);
    for (const place of PLACES.filter((one) => one.as === who)) {
      await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
      await (typeof place.go === "string" ? page.goto(place.go) : place.go(page, world));
      for (const [colorScheme, size, rules] of [
        ["light", DESK, null],
        ["dark", PHONE, SEEN_ANEW],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(size);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect.soft(overflow, `${place.name} at ${size.width}: pixels too wide`).toBeLessThanOrEqual(0);
        // No page of ours has frames: to look for what is in them takes a page of its own each time, and half as long again.
        const axe = new AxeBuilder({ page }).setLegacyMode();
        const { violations } = await (rules === null ? axe : axe.withRules([...rules])).analyze();
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
        expect.soft(found, `${place.name}, ${colorScheme}`).toEqual([]);
      }
    }
    expect(complaints, "what the browser complained of").toEqual([]);
  });
