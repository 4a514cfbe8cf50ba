import { expect, type Locator } from "@playwright/test";

/** Waits until the scripts of the page are loaded and React handles the events of an element. */
export async function untilHydrated(element: Locator): Promise<void> {
  await expect
    .poll(() => element.evaluate((node) => Object.keys(node).some((key) => key.startsWith("__reactProps"))))
    .toBe(true);
  await element.page().waitForLoadState("networkidle");
}

/**
 * Replaces the text of a text area. Hydration clears the selection of a text area, and a `fill` during hydration
 * then adds the text before the old text.
 */
export async function replaceText(textArea: Locator, text: string): Promise<void> {
  await expect(async () => {
    await textArea.fill(text);
    await expect(textArea).toHaveValue(text, { timeout: 100 });
  }).toPass();
}
