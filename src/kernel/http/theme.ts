/** The color theme of pages: the theme of the system, or the choice of the user. */
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export const isTheme = (word: unknown): word is Theme => THEMES.some((theme) => theme === word);

/** Returns the value of the attribute `data-theme` of a page; undefined for the theme of the system. */
export const themeAttribute = (cookie: string | null | undefined): Theme | undefined =>
  isTheme(cookie) && cookie !== "system" ? cookie : undefined;
