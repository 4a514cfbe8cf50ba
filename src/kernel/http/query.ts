/** The query parameters of a page, in the format of Next. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Returns the trimmed value of a parameter that was sent once; otherwise an empty string. The function
 * removes U+0000, because PostgreSQL refuses this character in every text.
 */
export const textOf = (query: Query, name: string): string => {
  const value = query[name];
  return typeof value === "string" ? value.replaceAll("\0", "").trim() : "";
};

/** Parses an id from a URL; returns null for any other text. */
export const readId = (text: string): number | null => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : null);

/** Returns the URL of `path` with the non-empty query parameters. */
export function urlWithQuery(path: string, parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ""));
  return query.size === 0 ? path : `${path}?${query}`;
}

/**
 * Returns the id in a hidden field of a form; for any other value, returns an empty string, which matches no
 * row.
 */
export function readReference(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" && readId(value) !== null ? value : "";
}
