/**
 * Copies a text to the clipboard, and returns whether the browser copied the text. If the browser did not copy
 * the text, the function calls `select`, so that the user can copy the selected text. Browsers have no
 * clipboard on pages that are loaded over HTTP, except on localhost.
 */
export async function copyText(text: string, select: () => void): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    select();
    return false;
  }
}
