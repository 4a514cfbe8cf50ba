import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type axe from "axe-core";
import { pageWeight } from "../bench/page-weight.mjs";
import { notRunnableWithout } from "../scripts/test-skips.mjs";
import { test as base, expect } from "./fixtures.ts";
import { hasGit } from "./git/git.ts";
import { type Instance, startInstance } from "./instance.ts";
import { become, PLACES } from "./pages/places.ts";
import { makeWorld, type World } from "./pages/places-world.ts";
import { watch } from "./watched.ts";

const PHONE = { width: 390, height: 800 };
const DESK = { width: 1280, height: 800 };

/** The width of a page that is enlarged to 400 % in a window of 1280 px (WCAG 2.2 §1.4.10). */
const ENLARGED = { width: 320, height: 800 };

/**
 * The accessibility tests have a separate instance, because the tested URLs contain the ids of the first rows
 * of an empty database.
 */
let started: Promise<Instance> | null = null;
const ownInstance = (): Promise<Instance> => {
  started ??= startInstance();
  return started;
};

/**
 * The minified source code of axe. On each page, the browser parses the minified code faster than
 * `axe.source`.
 */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The maximum compressed size of the JavaScript of a page in kB, without the runtime of Next.js. */
const SCRIPT_KB_MAX = { staticDocument: 20, page: 10 };

/** The number of pages in one test. The number is small, so that a failed test concerns few pages. */
const PLACES_IN_A_TEST = 8;

let world: World;

/** The paths of the pages that the tests have opened. */
const shown = new Set<string>();

const test = base.extend({
  // Playwright needs the list of tests before it runs `beforeAll`.
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
  test(`pages for ${who} (part ${part}) have no accessibility violations in the light theme on a desktop and in the dark theme on a phone, fit into 320 pixels, and their scripts do not exceed the size limit`, async ({
    page,
  }) => {
    const complaints: string[] = [];
    watch(page.context(), world.instance.baseUrl, complaints);
    await become(page, world, who);
    page.on("framenavigated", (frame) => shown.add(new URL(frame.url()).pathname));
    let html: Promise<string> = Promise.resolve("");
    page.on("response", (response) => {
      const isRedirect = response.status() >= 300 && response.status() < 400;
      // The body of the response is unavailable after the browser has opened another page.
      if (response.request().isNavigationRequest() && !isRedirect) html = response.text().catch(() => "");
    });
    for (const place of places) {
      await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
      await (typeof place.go === "string" ? page.goto(place.go) : place.go(page, world));
      const { runtime, own } = pageWeight(await html);
      const limit = runtime === 0 ? SCRIPT_KB_MAX.staticDocument : SCRIPT_KB_MAX.page;
      expect.soft(own, `${place.name}: kB of JavaScript`).toBeLessThanOrEqual(limit);
      await page.evaluate(AXE);
      for (const [colorScheme, size] of [
        ["light", DESK],
        ["dark", PHONE],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await expectToFit(page, size, place.name);
        expect.soft(await violationsOn(page), `${place.name}, ${colorScheme}`).toEqual([]);
      }
      await expectToFit(page, ENLARGED, place.name);
    }
    expect(complaints, "what the browser complained of").toEqual([]);
  });

test("the list of checked pages contains every page of Gatehouse", () => {
  test.skip(!hasGit(), notRunnableWithout("git"));
  const unchecked = pagesOfApplication().filter(
    ({ pattern }) => ![...shown].some((path) => pattern.test(path)),
  );
  expect(unchecked.map(({ file }) => file)).toEqual([]);
});

/**
 * The pages that are not checked: redirects, and pages that require a program or a setting that the test
 * instance does not have.
 */
const UNCHECKED = [/^\[\.\.\.path\]/, /\/-\/\[\.\.\.page\]/, /^user_settings\/page/, /container_registry/];

/**
 * Returns the page files of Gatehouse, each with the path pattern of the page. Patterns with a fixed name
 * precede patterns with a parameter.
 */
const pagesOfApplication = (): readonly Readonly<{ file: string; pattern: RegExp }>[] =>
  readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((file) => /(?:^|\/)page\.tsx$/.test(file) && !UNCHECKED.some((pattern) => pattern.test(file)))
    .map((file) => {
      const path = file.replace(/\/?page\.tsx$/, "").replace(/\([^)]*\)\/?/g, "");
      const segments = path.replace(/\[[^\]]+\]/g, "(?!new$)[^/]+");
      return { file, pattern: new RegExp(`^/${segments.replace(/\/$/, "")}$`) };
    });

/** Resizes the window, and checks that no content is wider than the window. */
async function expectToFit(page: Page, size: typeof DESK, name: string): Promise<void> {
  await page.setViewportSize(size);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect.soft(overflow, `${name} at ${size.width}: pixels too wide`).toBeLessThanOrEqual(0);
}

/**
 * Returns the violations of all accessibility rules on a page into which axe was loaded. The pages of
 * Gatehouse contain no iframes.
 */
async function violationsOn(page: Page): Promise<readonly string[]> {
  const options: axe.RunOptions = {
    // By default, axe also preloads the stylesheets. Only one rule needs the stylesheets, and this rule is
    // disabled by default.
    preload: { assets: ["media"] },
    // By default, axe also serializes the nodes that pass a rule, which takes time.
    resultTypes: ["violations"],
  };
  const { violations } = await page.evaluate(
    (given) => (globalThis as unknown as { axe: typeof axe }).axe.run(document, given),
    options,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}
