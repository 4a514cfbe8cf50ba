import type { Schema } from "hast-util-sanitize";

const CELL = ["align", "colSpan", "rowSpan"];

/**
 * The elements and attributes that rendered Markdown may contain. All other elements and attributes are
 * removed, together with the content of scripts and styles. Authors may not set ids, names and classes,
 * because such attributes could change the style of the page or affect its scripts. The only allowed element
 * that loads a resource is `img`. The function `adaptToPage` determines the URL of each image.
 */
export const ALLOWED_HTML: Schema = {
  strip: [
    "script",
    "style",
    "template",
    "noscript",
    "iframe",
    "object",
    "svg",
    "math",
    "form",
    "textarea",
    "title",
  ],
  tagNames: [
    ...["a", "b", "blockquote", "br", "code", "dd", "del", "details", "div", "dl", "dt", "em"],
    ...["h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "ins", "kbd", "li", "ol", "p", "pre", "q"],
    ...["s", "samp", "span", "strike", "strong", "sub", "summary", "sup"],
    ...["table", "tbody", "td", "tfoot", "th", "thead", "tr", "tt", "ul", "var"],
  ],
  ancestors: {
    ...{ tbody: ["table"], thead: ["table"], tfoot: ["table"] },
    ...{ td: ["table"], th: ["table"], tr: ["table"], li: ["ul", "ol"], summary: ["details"] },
    ...{ dt: ["dl"], dd: ["dl"] },
  },
  attributes: {
    a: ["href", "title"],
    details: ["open"],
    img: ["src", "alt", "title", "width", "height"],
    ol: ["start"],
    td: CELL,
    th: CELL,
  },
  protocols: { href: ["http", "https", "mailto"], src: ["http", "https"] },
  required: {},
};
