/** The configuration of Next. `scripts/build.mjs` uses the same plugin for the stylesheet of pages without Next. */
export default { plugins: { "@tailwindcss/postcss": {} } };
