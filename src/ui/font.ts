/**
 * The URL of the font of all pages. The file name contains the digest of the file, so that browsers may cache
 * the font permanently. `scripts/font.mjs` writes the file.
 */
export const FONT_URL = "/-/fonts/inter-81cd5a1b559a.woff2";
