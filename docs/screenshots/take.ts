import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "../../e2e/fixtures.ts";
import { become, PLACES } from "../../e2e/pages/places.ts";
import { makeWorld } from "../../e2e/pages/places-world.ts";

const WIDTHS = [1280, 390];
const THEMES = ["light", "dark"] as const;

/**
 * Takes screenshots of every page at desktop and phone width, in the light and the dark theme. The
 * environment variable `ONLY` selects pages.
 */
test("take", async ({ page, instance }) => {
  test.setTimeout(600_000);
  const only = process.env["ONLY"]?.split(",");
  const world = await makeWorld(instance);
  for (const who of ["nobody", "ann", "mia", "root"] as const) {
    await become(page, world, who);
    for (const { name, go } of PLACES.filter(
      (place) => place.as === who && (only?.includes(place.name) ?? true),
    )) {
      await (typeof go === "string" ? page.goto(go) : go(page, world));
      for (const theme of THEMES)
        for (const width of WIDTHS) {
          await page.emulateMedia({ colorScheme: theme });
          await page.setViewportSize({ width, height: 800 });
          const file = `${name}-${theme}-${width}.png`;
          const picture = await page.screenshot({ fullPage: true, animations: "disabled" });
          // A color palette reduces the size of a screenshot to a third, which matters because the repository
          // contains the screenshots.
          await sharp(picture)
            .png({ palette: true, effort: 10 })
            .toFile(join(import.meta.dirname, file));
          const overflow = await page.evaluate(
            () => document.documentElement.scrollWidth - window.innerWidth,
          );
          expect.soft(overflow, file).toBeLessThanOrEqual(0);
        }
    }
  }
});
