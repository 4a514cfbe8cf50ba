import AxeBuilder from "@axe-core/playwright";
import { test as base, expect } from "./fixtures.ts";
import { type Instance, startInstance } from "./instance.ts";
import { become, makeWorld, PLACES, type World } from "./pages/places.ts";
import { watch } from "./watched.ts";

const PHONE = { width: 390, height: 800 };
const DESK = { width: 1280, height: 800 };

/** The checks that depend on colors and width, for the other themes and widths. All checks run for the light desktop page. */
const THEME_RULES = ["color-contrast", "target-size", "scrollable-region-focusable", "link-in-text-block"];

/** An instance of its own: the URLs of its pages have the numbers of what was created first. */
let started: Promise<Instance> | null = null;
const ownInstance = (): Promise<Instance> => {
  started ??= startInstance();
  return started;
};

/** The pages in one test, few enough to stay far below its time limit. */
const PLACES_IN_A_TEST = 24;

let world: World;

const test = base.extend({
  // Playwright asks for it before it runs `beforeAll`.
  baseURL: async ({ browserName: _ }, use) => {
    await use((await ownInstance()).baseUrl);
  },
});

test.describe.configure({ mode: "serial" });
test.beforeAll(async () => {
  world = await makeWorld(await ownInstance());
});
test.afterAll(async () => {
  await (await ownInstance()).stop();
});

const TESTS = (["nobody", "ann", "mia", "root"] as const).flatMap((who) => {
  const places = PLACES.filter((one) => one.as === who);
  return Array.from({ length: Math.ceil(places.length / PLACES_IN_A_TEST) }, (_, part) => ({
    who,
    part: part + 1,
    places: places.slice(part * PLACES_IN_A_TEST, (part + 1) * PLACES_IN_A_TEST),
  }));
});

for (const { who, part, places } of TESTS)
  test(`pages for ${who} (part ${part}) have no accessibility violations in both themes and at both widths`, async ({
    page,
  }) => {
    test.setTimeout(240_000);
    const complaints: string[] = [];
    watch(page.context(), world.instance.baseUrl, complaints);
    await become(page, world, who);
    for (const place of places) {
      await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
      await (typeof place.go === "string" ? page.goto(place.go) : place.go(page, world));
      for (const [colorScheme, size, rules] of [
        ["light", DESK, null],
        ["dark", PHONE, THEME_RULES],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(size);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect.soft(overflow, `${place.name} at ${size.width}: pixels too wide`).toBeLessThanOrEqual(0);
        // No page has frames: checking frames would open another page each time and take half as long again.
        const axe = new AxeBuilder({ page }).setLegacyMode();
        const { violations } = await (rules === null ? axe : axe.withRules([...rules])).analyze();
        const problems = violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`,
        );
        expect.soft(problems, `${place.name}, ${colorScheme}`).toEqual([]);
      }
    }
    expect(complaints, "what the browser complained of").toEqual([]);
  });
