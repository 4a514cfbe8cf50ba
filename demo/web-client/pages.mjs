/** @type {Readonly<Record<string, string>>} */
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/**
 * The property key of values that are already HTML markup. The key is a symbol, because values that were
 * parsed from JSON cannot contain symbols.
 */
const MARKUP = Symbol("markup");

/**
 * A template function for HTML: it escapes the inserted values, except for HTML that the function itself has
 * returned.
 * @param {TemplateStringsArray} strings
 * @param {readonly unknown[]} values
 */
const html = (strings, ...values) => ({ [MARKUP]: String.raw({ raw: strings }, ...values.map(escaped)) });

/** @type {(value: unknown) => string} */
const escaped = (value) => {
  if (Array.isArray(value)) return value.map(escaped).join("");
  if (typeof value === "object" && value !== null && MARKUP in value) return String(value[MARKUP]);
  return String(value ?? "").replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
};

/**
 * @param {string} title
 * @param {ReturnType<typeof html>} content
 */
const page = (title, content) =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Demo client</title>
<link rel="stylesheet" href="/style.css">
</head>
<body>
<main>
<p class="app">Demo client</p>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`[MARKUP];

const signInForm = html`<form method="post" action="/sign_in"><button>Sign in with Gatehouse</button></form>`;

/** @param {string} [notice] */
export const welcomePage = (notice) =>
  page(
    "Welcome",
    html`${notice ? html`<p role="status">${notice}</p>` : ""}
<p>This application has no accounts of its own. The application requests your name from Gatehouse, and Gatehouse asks for your permission.</p>
${signInForm}`,
  );

/** @param {import("./gatehouse.mjs").Profile} profile the response of `GET /api/v4/user`. */
export const profilePage = (profile) =>
  page(
    `Hello, ${profile.name}`,
    html`<p>Gatehouse shared this data with your permission:</p>
<dl>
${[
  ["Name", profile.name],
  ["Username", profile.username],
  ["E-mail", profile.email],
  ["ID", profile.id],
].map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>\n`)}
</dl>
<details><summary>The complete response of <code>GET /api/v4/user</code></summary>
<pre tabindex="0">${JSON.stringify(profile, null, 2)}</pre></details>
<form method="post" action="/sign_out"><button class="quiet">Sign out of this application</button></form>`,
  );

/** @param {string} problem */
export const problemPage = (problem) =>
  page("Not signed in", html`<p role="alert">${problem}</p>\n${signInForm}`);
