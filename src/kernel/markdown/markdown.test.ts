import { defaultTreeAdapter } from "parse5";
import { afterEach, describe, expect, it, vi } from "vitest";
import { MARKDOWN_CHARACTERS_MAX, renderMarkdown } from "./markdown.ts";
import { DEPTH_MAX, NODES_MAX } from "./parse-html.ts";

const urls = {
  key: "test",
  link: (reference: string) => `/link?${new URLSearchParams({ reference })}`,
  picture: (reference: string) =>
    reference.includes("absent") ? null : `/picture?${new URLSearchParams({ reference })}`,
};
const render = (text: string, headingsBelow = 1) => renderMarkdown(text, { headingsBelow, urls });

describe("renderMarkdown", () => {
  it.each([
    [
      "emphasis",
      "*a* **b** ~~c~~ `d`",
      '<p dir="auto"><em>a</em> <strong>b</strong> <s>c</s> <code>d</code></p>\n',
    ],
    ["code without its language", "```js\na < b\n```", "<pre><code>a &#x3C; b\n</code></pre>\n"],
    ["raw HTML", "<b>x</b> <kbd>Ctrl</kbd>", '<p dir="auto"><b>x</b> <kbd>Ctrl</kbd></p>\n'],
    ["a heading below the heading of the page", "# A b!", '<h2 dir="auto" id="user-content-a-b">A b!</h2>\n'],
    [
      "a table in a region that can be scrolled",
      "|a|\n|-:|\n|1|",
      '<div role="region" aria-label="Table" tabindex="0" data-table=""><table>\n<thead>\n<tr>\n<th align="right" dir="auto">a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td align="right" dir="auto">1</td>\n</tr>\n</tbody>\n</table></div>\n',
    ],
    ["task lists", "- [ ] a\n- [x] b", '<ul>\n<li dir="auto">☐ a</li>\n<li dir="auto">☑ b</li>\n</ul>\n'],
    ["a link to a heading", "[a](#A)", '<p dir="auto"><a href="#user-content-A">a</a></p>\n'],
    ["a relative link", "[a](docs/b.md)", '<p dir="auto"><a href="/link?reference=docs%2Fb.md">a</a></p>\n'],
    [
      "a link to another site with rel=nofollow",
      "<https://a.example>",
      '<p dir="auto"><a rel="nofollow noopener noreferrer" href="https://a.example">https://a.example</a></p>\n',
    ],
    [
      "a picture of the repository",
      "![Logo](img/a.png)",
      '<p dir="auto"><img src="/picture?reference=img%2Fa.png" alt="Logo" loading="lazy"></p>\n',
    ],
    [
      "a picture of another server as a link",
      "![Logo](https://a.example/x.png)",
      '<p dir="auto"><a href="https://a.example/x.png" rel="nofollow noopener noreferrer">Logo</a></p>\n',
    ],
    [
      "a picture of another server in a link as text",
      "[![Build](https://a.example/x.svg)](https://b.example)",
      '<p dir="auto"><a rel="nofollow noopener noreferrer" href="https://b.example"><span>Build</span></a></p>\n',
    ],
    [
      "file names without links",
      "See README.md and a.example.",
      '<p dir="auto">See README.md and a.example.</p>\n',
    ],
  ])("renderMarkdown renders %s", (_, text, html) => {
    expect(render(text)).toBe(html);
  });

  it("renderMarkdown gives different ids to headings with the same text, and renders no heading below level 6", () => {
    expect(render("# A\n\n###### A", 2)).toBe(
      '<h3 dir="auto" id="user-content-a">A</h3>\n<h6 dir="auto" id="user-content-a-1">A</h6>\n',
    );
  });

  it("renderMarkdown renders the same text differently when relative links resolve to other URLs", () => {
    const other = { ...urls, key: "other", link: () => null };
    expect(render("[a](b)")).toContain("href=");
    expect(renderMarkdown("[a](b)", { headingsBelow: 1, urls: other })).toBe('<p dir="auto"><a>a</a></p>\n');
  });
});

const HOSTILE = [
  "<script>alert(1)</script>",
  "<scr<script>ipt>alert(1)</scr</script>ipt>",
  "<img src=x onerror=alert(1)>",
  "<img src=x:y onerror=alert(1) srcset='https://a.example 2x'>",
  "<picture><source srcset='https://a.example/x'><img src=a.png></picture>",
  "<svg onload=alert(1)><script>alert(1)</script></svg>",
  "<svg><style><img src=x onerror=alert(1)></style></svg>",
  "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
  "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
  "<template><img src=x onerror=alert(1)></template>",
  "<iframe src=javascript:alert(1)></iframe>",
  "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
  "<object data=javascript:alert(1)></object><embed src=javascript:alert(1)>",
  "<a href=javascript:alert(1)>a</a>",
  "<a href=' java\nscript:alert(1)'>a</a>",
  "<a href='&#x6A;avascript:alert(1)'>a</a>",
  "<a href='\u0001javascript:alert(1)'>a</a>",
  "<a href=data:text/html;base64,PHNjcmlwdD4=>a</a>",
  "<a href=vbscript:x>a</a>",
  "[a](javascript:alert(1))",
  "[a](JaVaScRiPt:alert(1))",
  "[a](javascript&colon;alert(1))",
  "[a](data:text/html,x)",
  "<javascript:alert(1)>",
  "![a](javascript:alert(1))",
  "![a](data:image/svg+xml;base64,PHN2Zz4=)",
  '![a" onerror="alert(1)](a.png "t\\" onerror=\\"alert(1)")',
  '[a](https://a.example "\\" onclick=\\"alert(1)")',
  "<form action=https://a.example><input name=password><button formaction=javascript:alert(1)>a</button></form>",
  "<p style='position:fixed;inset:0' onclick=alert(1)>a</p>",
  "<style>*{display:none}</style>",
  "<link rel=stylesheet href=https://a.example><meta http-equiv=refresh content=0;url=https://a.example>",
  "<base href=https://a.example><div id=main class=fixed name=x>a</div>",
  "<a id=__next href='//a.example' target=_top ping=https://a.example>a</a>",
  "<video src=https://a.example autoplay onplay=alert(1)></video><audio src=x onerror=alert(1)>",
  "<details open ontoggle=alert(1)>a</details>",
  "<textarea></textarea><img src=x onerror=alert(1)></textarea>",
  "<title></title><img src=x onerror=alert(1)></title>",
  "<xmp><img src=x onerror=alert(1)></xmp>",
  "<!--><img src=x onerror=alert(1)>-->",
  "<![CDATA[<img src=x onerror=alert(1)>]]>",
  "```html\n</code></pre><script>alert(1)</script>\n```",
  "`<script>alert(1)</script>`",
  "|<img src=x onerror=alert(1)>|\n|-|\n|<script>alert(1)</script>|",
];

/** The attributes in rendered HTML, with their values. */
const ATTRIBUTE = /\s([a-z-]+)(?:="([^"]*)")?(?=[\s>/])/g;
const ALLOWED =
  /^(?:a|b|blockquote|br|code|dd|del|details|div|dl|dt|em|h[1-6]|hr|i|img|ins|kbd|li|ol|p|pre|q|s|samp|span|strike|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|ul|var)$/;
const NAMES =
  /^(?:dir|href|rel|src|alt|title|width|height|loading|open|align|start|colspan|rowspan|id|role|aria-label|tabindex|data-table)$/;

describe("renderMarkdown makes hostile input harmless", () => {
  it.each(HOSTILE)("renderMarkdown makes the input %j harmless", (text) => {
    const html = render(text) ?? "";
    for (const [, name = "", rest = ""] of html.matchAll(/<\/?([a-z0-9]*)((?:"[^"]*"|[^>"])*)>/gi)) {
      expect(name).toMatch(ALLOWED);
      for (const [, attribute = "", value = ""] of `${rest}>`.matchAll(ATTRIBUTE)) {
        expect(attribute).toMatch(NAMES);
        if (attribute === "href")
          expect(value).toMatch(/^(?:https?:\/\/|mailto:|\/link\?|#user-content-|\/\/a\.example$)/);
        if (attribute === "src") expect(value).toMatch(/^\/picture\?/);
        if (attribute === "id") expect(value).toMatch(/^user-content-/);
      }
    }
    expect(html.replaceAll(/<[^>]*>/g, "")).not.toContain("<");
  });
});

describe("renderMarkdown limits its work", () => {
  it("renderMarkdown returns null for a text that is too long", () => {
    expect(render("a".repeat(MARKDOWN_CHARACTERS_MAX))).toContain("aaa");
    expect(render("a".repeat(MARKDOWN_CHARACTERS_MAX + 1))).toBeNull();
  });

  it.each(["<div>", "<b>", "<a><b><i>", "<details>"])(
    "renderMarkdown returns null for deeply nested %s",
    (tag) => {
      expect(render(tag.repeat(MARKDOWN_CHARACTERS_MAX / tag.length))).toBeNull();
    },
  );

  it("renderMarkdown returns null for a small text whose HTML is large", () => {
    expect(render(`${"|a".repeat(2_000)}\n${"|-".repeat(2_000)}\n${"|a\n".repeat(500)}`)).toBeNull();
  });

  it.each([
    ">",
    "- ",
    "1. ",
    "[",
    "![",
    "*a_",
    "*a **a ",
    "[a](",
    "`a``",
    "|",
    "<a ",
    "a@",
    "http://a.",
    "&",
    "\\",
    "~~a",
    "[^a]",
    "<!--",
    "_",
  ])("renderMarkdown renders 30,000 characters of %j in at most three seconds of processor time", (part) => {
    const before = process.cpuUsage();
    render(part.repeat(30_000 / part.length));
    expect(process.cpuUsage(before).user).toBeLessThan(3_000_000);
  });
});

/** Returns distinct attribute names of three or four characters. */
const attributeNames = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => (Number.parseInt("a00", 36) + index).toString(36));

/** Returns formatting elements that are not closed. Each element has a different attribute. */
const openElements = (count: number): string =>
  attributeNames(count)
    .map((name) => `<b ${name}>`)
    .join("");

describe("renderMarkdown with raw HTML", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it.each([
    ["500 open elements in 2,000 paragraphs", `<p>${openElements(500)}${"<p>x".repeat(2_000)}`],
    ["7,000 open elements in 12,000 paragraphs", `<p>${openElements(7_000)}${"<p>x".repeat(12_000)}`],
    [
      "an element with 1,000 attributes in 2,000 paragraphs",
      `<p><b ${attributeNames(1_000).join(" ")}>${"<p>x".repeat(2_000)}`,
    ],
    ["a description of 200,000 characters", `<p>${openElements(14_000)}${"<p>x".repeat(24_000)}`],
  ])("renderMarkdown limits the size of the HTML tree for %s", (_, text) => {
    let created = 0;
    const { createElement } = defaultTreeAdapter;
    vi.spyOn(defaultTreeAdapter, "createElement").mockImplementation((tagName, namespace, attributes) => {
      created += 1 + attributes.length;
      return createElement(tagName, namespace, attributes);
    });
    expect(render(text)).toBeNull();
    expect(created).toBeLessThanOrEqual(NODES_MAX + 1_000);
  });

  it.each(["<i>x</i>", "<!-- x -->", "x<br>"])(
    "renderMarkdown renders many repetitions of %j when the HTML tree has at most a fifth of the maximum size",
    (piece) => {
      expect(render(`<p>${piece.repeat(NODES_MAX / 10)}`)).toContain("<p");
    },
  );

  it("renderMarkdown limits the depth of the HTML tree", () => {
    expect(render("<div>".repeat(DEPTH_MAX / 2))).toContain("<div>");
    expect(render("<div>".repeat(DEPTH_MAX + 1))).toBeNull();
  });
});

describe("renderMarkdown with long output", () => {
  it("renderMarkdown limits the length of the ids of headings", () => {
    const html = render(`${"<h1><div>".repeat(200)}${"a".repeat(10_000)}`);
    expect(html?.match(/id="user-content-a{100}(?:-\d+)?"/g)).toHaveLength(200);
    expect(html?.length).toBeLessThan(50_000);
  });

  it.each([
    ["[](b)", "link"],
    ["![](b)", "picture"],
  ] as const)(
    "renderMarkdown limits the total length of the URLs in a text that repeats %j",
    (reference, kind) => {
      const url = vi.fn((target: string) => `/${"a".repeat(4_000)}/${target}`);
      const long = { key: "long", link: () => null, picture: () => null, [kind]: url };
      const text = `${reference} `.repeat(10_000);
      expect(renderMarkdown(text, { headingsBelow: 1, urls: long })).toBeNull();
      expect(url.mock.calls.length).toBeLessThan(200);
    },
  );

  it.each([
    ["definitions that many links use", `[a]: b '${"&".repeat(40_000)}'\n\n${"[a] ".repeat(10_000)}`],
    ["definitions that many pictures use", `[a]: /${"a".repeat(40_000)}\n\n${"![a] ".repeat(10_000)}`],
    ["an attribute in many paragraphs", `<p><a title="${"a".repeat(40_000)}">${"<p>x".repeat(5_000)}`],
  ])("renderMarkdown limits the total length of %s", (_, text) => {
    expect(render(text)).toBeNull();
  });

  it("renderMarkdown limits the total length of the HTML in the cache", () => {
    const link = vi.fn(() => "/b");
    const renderLink = () =>
      renderMarkdown("[a](b)", { headingsBelow: 1, urls: { ...urls, key: "c", link } });
    renderLink();
    for (let index = 0; index < 300; index++) render(`small ${index}`);
    renderLink();
    expect(link).toHaveBeenCalledTimes(1);
    for (let index = 0; index < 210; index++) render(`    ${"a".repeat(99_000)}${index}`);
    renderLink();
    expect(link).toHaveBeenCalledTimes(2);
  });
});
