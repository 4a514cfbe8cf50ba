/**
 * The PostCSS configuration of Next. `scripts/build.mjs` uses the same PostCSS plugin for the stylesheet of
 * pages that are rendered without Next.
 */
export default { plugins: { "@tailwindcss/postcss": {} } };
