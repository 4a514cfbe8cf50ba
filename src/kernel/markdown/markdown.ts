import { createHash } from "node:crypto";
import { fromHtml } from "hast-util-from-html";
import { sanitize } from "hast-util-sanitize";
import { toHtml } from "hast-util-to-html";
import MarkdownIt from "markdown-it";
import { processWide } from "../process/process-wide";
import { ALLOWED_HTML } from "./allowed-html";
import { adaptToPage, type RelativeUrls } from "./page-html";

/**
 * The limits of a text that is rendered. Rendering blocks the event loop. Below these limits, its time is linear in
 * the length of the text.
 */
export const MARKDOWN_CHARACTERS_MAX = 100_000;
const HTML_CHARACTERS_MAX = 400_000;

/** The options of `renderMarkdown`. */
export type MarkdownOptions = Readonly<{
  /** The level of the heading above the text. The largest headings of the text have the next level. */
  headingsBelow: number;
  /** The URLs for the relative references of the text. */
  urls: RelativeUrls;
}>;

/**
 * Renders Markdown (CommonMark, with tables, strikethrough and links of GitHub Flavored Markdown) to HTML that is
 * safe to insert into a page, although every user who may push or write a description can choose the text.
 * @returns null for a text that exceeds the limits; the page then shows the text itself.
 */
export function renderMarkdown(text: string, options: MarkdownOptions): string | null {
  if (text.length > MARKDOWN_CHARACTERS_MAX) return null;
  const key = createHash("sha256")
    .update(`${options.headingsBelow}\0${options.urls.key}\0${text}`)
    .digest("base64");
  const rendered = cache().get(key);
  if (rendered !== undefined) return rendered;
  const html = convert(text, options);
  keep(key, html);
  return html;
}

function convert(text: string, options: MarkdownOptions): string | null {
  const html = parser().render(text);
  if (html.length > HTML_CHARACTERS_MAX) return null;
  try {
    const tree = sanitize(fromHtml(html, { fragment: true }), ALLOWED_HTML);
    return toHtml(adaptToPage(tree, options));
  } catch (cause) {
    // Deeply nested HTML makes `sanitize` and `toHtml`, which are recursive, exceed the call stack.
    if (cause instanceof RangeError) return null;
    throw cause;
  }
}

/** Parses raw HTML too, because many README files contain raw HTML. Markdown can be nested to at most 100 levels. */
const parser = processWide("markdown-parser", () => {
  const markdown = new MarkdownIt({ html: true, linkify: true });
  // If names without a scheme became links, `README.md` would become a link to a host below the top-level domain `md`.
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  for (const name of ["th_open", "td_open"])
    markdown.renderer.rules[name] = (tokens, index, settings, _, renderer) => {
      const token = tokens[index];
      const [, align] = /text-align:(\w+)/.exec(token?.attrGet("style") ?? "") ?? [];
      if (token !== undefined) token.attrs = align === undefined ? null : [["align", align]];
      return renderer.renderToken(tokens, index, settings);
    };
  return markdown;
});

const CACHED_MAX = 200;

/** The rendered texts, least recently added first. */
const cache = processWide("markdown-cache", () => new Map<string, string | null>());

function keep(key: string, html: string | null): void {
  const entries = cache();
  entries.set(key, html);
  if (entries.size <= CACHED_MAX) return;
  for (const oldest of entries.keys()) {
    entries.delete(oldest);
    return;
  }
}
