import { createHash } from "node:crypto";
import { sanitize } from "hast-util-sanitize";
import { toHtml } from "hast-util-to-html";
import MarkdownIt, { type Token } from "markdown-it";
import { processWide } from "../process/process-wide";
import { ALLOWED_HTML } from "./allowed-html";
import { adaptToPage, type RelativeUrls } from "./page-html";
import { parseHtml } from "./parse-html";

/**
 * The limits of a Markdown text and of its HTML. Rendering blocks the event loop. Below the limits, the
 * duration of rendering is linear in the length of the text.
 */
export const MARKDOWN_CHARACTERS_MAX = 100_000;
const HTML_CHARACTERS_MAX = 400_000;

/** The options of `renderMarkdown`. */
export type MarkdownOptions = Readonly<{
  /**
   * The level of the page heading above the text. The first-level headings of the text are rendered one level
   * below the page heading.
   */
  headingsBelow: number;
  /** The URLs to which the relative links and pictures of the text resolve. */
  urls: RelativeUrls;
}>;

/**
 * Renders Markdown (CommonMark, with tables, strikethrough and links of GitHub Flavored Markdown) to HTML
 * that can be inserted into a page safely. The Markdown text is not trusted: any user who may push or write a
 * description can choose the text.
 * @returns null for a text that exceeds the limits. The page shows a text that exceeds the limits without
 * rendering.
 */
export function renderMarkdown(text: string, options: MarkdownOptions): string | null {
  if (text.length > MARKDOWN_CHARACTERS_MAX) return null;
  const key = createHash("sha256")
    .update(`${options.headingsBelow}\0${options.urls.key}\0${text}`)
    .digest("base64");
  const rendered = cache().entries.get(key);
  if (rendered !== undefined) return rendered;
  const html = convert(text, options);
  keep(key, html);
  return html;
}

function convert(text: string, options: MarkdownOptions): string | null {
  try {
    const html = parseMarkdown(text);
    if (html.length > HTML_CHARACTERS_MAX) return null;
    const tree = sanitize(parseHtml(html), ALLOWED_HTML);
    const adapted = toHtml(adaptToPage(tree, { ...options, charactersMax: HTML_CHARACTERS_MAX }));
    return adapted.length > HTML_CHARACTERS_MAX ? null : adapted;
  } catch (cause) {
    if (cause instanceof RangeError) return null;
    throw cause;
  }
}

/**
 * Converts Markdown to HTML that is not yet safe.
 * @throws RangeError if the HTML attributes are too long. Each use of a link reference definition repeats the
 * URL and the title of the definition. The URL and the title of a definition can each be almost as long as
 * the text.
 */
function parseMarkdown(text: string): string {
  const environment = {};
  const tokens = parser().parse(text, environment);
  if (attributeCharacters(tokens) > HTML_CHARACTERS_MAX)
    throw new RangeError("The attributes of the HTML are too long.");
  return parser().renderer.render(tokens, parser().options, environment);
}

const attributeCharacters = (tokens: readonly Token[]): number =>
  tokens
    .flatMap(({ attrs, children }) => [
      ...(attrs ?? []).map(([, value]) => value.length),
      attributeCharacters(children ?? []),
    ])
    .reduce((sum, length) => sum + length, 0);

/**
 * The parser also accepts raw HTML, because many README files contain raw HTML. The parser accepts at most
 * 100 levels of nesting.
 */
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

/**
 * The maximum length of all cached HTML. For each entry, a fixed number of characters is added for the
 * overhead of the entry.
 */
const CACHED_CHARACTERS_MAX = 20_000_000;
const ENTRY_CHARACTERS = 1_000;

/** The rendered texts, in the order in which they were added, and their total length. */
const cache = processWide("markdown-cache", () => ({
  entries: new Map<string, string | null>(),
  characters: 0,
}));

const sizeOf = (html: string | null): number => ENTRY_CHARACTERS + (html?.length ?? 0);

function keep(key: string, html: string | null): void {
  const cached = cache();
  cached.entries.set(key, html);
  cached.characters += sizeOf(html);
  for (const [oldest, oldestHtml] of cached.entries) {
    if (cached.characters <= CACHED_CHARACTERS_MAX) return;
    cached.entries.delete(oldest);
    cached.characters -= sizeOf(oldestHtml);
  }
}
