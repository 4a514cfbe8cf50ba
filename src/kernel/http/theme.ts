/** How a page looks: as the system says, or as the person chose. */
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export const isTheme = (word: unknown): word is Theme => THEMES.some((theme) => theme === word);

/** For the attribute `data-theme` of a page; undefined leaves it to the system. */
export const themeAttribute = (cookie: string | null | undefined): Theme | undefined =>
  isTheme(cookie) && cookie !== "system" ? cookie : undefined;
