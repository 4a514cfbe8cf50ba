import { expect, type Page } from "@playwright/test";

/** Opens the command palette with the keyboard shortcut, which has an effect only after hydration. */
export async function openPalette(page: Page): Promise<void> {
  const box = page.getByRole("combobox");
  await expect(async () => {
    if (await box.isHidden()) await page.keyboard.press("Control+k");
    await expect(box).toBeVisible({ timeout: 1_000 });
  }).toPass();
}
