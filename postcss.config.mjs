/** Next takes this; `scripts/build.mjs` too, for the stylesheet of pages that are made without Next. */
export default { plugins: { "@tailwindcss/postcss": {} } };
