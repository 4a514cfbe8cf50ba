/** Returns the values of the hidden fields in a page, by their names. */
export const hiddenFields = (html: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
      ([, name = "", value = ""]) => [name, value.replaceAll("&amp;", "&")],
    ),
  );
