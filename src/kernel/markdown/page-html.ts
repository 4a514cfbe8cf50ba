import type { Element, ElementContent, Nodes, Root, RootContent } from "hast";

/** The URLs to which the relative links and pictures of a text resolve. */
export type RelativeUrls = Readonly<{
  /** A cache key, which differs between texts whose relative links resolve to different URLs. */
  key: string;
  /** Returns the URL that replaces the URL of a relative link; null if the link has no target. */
  link: (reference: string) => string | null;
  /** Returns the URL that replaces the relative URL of a picture. */
  picture: (reference: string) => string | null;
}>;

type Options = Readonly<{
  headingsBelow: number;
  urls: RelativeUrls;
  /** The maximum total length of all attributes of the resulting HTML. */
  charactersMax: number;
}>;

/** The elements whose text direction the browser determines separately. */
const BLOCKS: ReadonlySet<string> = new Set([
  "p",
  "li",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "td",
  "th",
  "dt",
  "dd",
  "summary",
]);

/**
 * Adapts the URLs, headings and tables of a sanitized tree to the pages of Gatehouse. The function changes
 * the given tree and returns the same tree.
 * @throws RangeError if the HTML attributes are too long. The parser can repeat an element with a long
 * attribute, and a short relative reference can become a long URL.
 */
export function adaptToPage(tree: Nodes, options: Options): Nodes {
  if (tree.type === "root")
    change(tree, { ...options, ...{ slugs: new Map(), total: { characters: 0 } }, isInLink: false });
  return tree;
}

type State = Options &
  Readonly<{ slugs: Map<string, number>; total: { characters: number }; isInLink: boolean }>;

function change(parent: Root | Element, state: State): void {
  const changed = parent.children.flatMap((child): readonly RootContent[] => {
    if (child.type !== "element") return [child];
    change(child, { ...state, isInLink: state.isInLink || child.tagName === "a" });
    const element = changeElement(child, state);
    countCharacters(element, state);
    return [element];
  });
  parent.children = changed as ElementContent[];
}

function countCharacters({ properties }: Element, { total, charactersMax }: State): void {
  for (const value of Object.values(properties)) total.characters += String(value).length;
  if (total.characters > charactersMax) throw new RangeError("The attributes of the HTML are too long.");
}

function changeElement(element: Element, state: State): Element {
  if (BLOCKS.has(element.tagName)) element.properties["dir"] = "auto";
  const [, level] = /^h([1-6])$/.exec(element.tagName) ?? [];
  if (level !== undefined) changeHeading(element, Number(level), state);
  else if (element.tagName === "a") changeLink(element, state);
  else if (element.tagName === "img") return pictureOf(element, state);
  else if (element.tagName === "li") changeTask(element);
  else if (element.tagName === "table") return scrollable(element);
  return element;
}

/**
 * The prefix of the ids in rendered texts. Because of the prefix, an id in a rendered text never equals
 * another id of the page.
 */
const PREFIX = "user-content-";

/** The maximum number of characters of a heading from which the id of the heading is derived. */
const SLUG_CHARACTERS_MAX = 100;

function changeHeading(heading: Element, level: number, { headingsBelow, slugs }: State): void {
  heading.tagName = `h${Math.min(6, level + headingsBelow)}`;
  const slug = textOf(heading, SLUG_CHARACTERS_MAX)
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
  const count = slugs.get(slug) ?? 0;
  slugs.set(slug, count + 1);
  heading.properties["id"] = PREFIX + (count === 0 ? slug : `${slug}-${count}`);
}

/** Returns the beginning of the text of an HTML node. */
function textOf(node: Nodes, charactersMax: number): string {
  if (node.type === "text") return node.value.slice(0, charactersMax);
  let text = "";
  for (const child of "children" in node ? node.children : []) {
    if (text.length >= charactersMax) break;
    text += textOf(child, charactersMax - text.length);
  }
  return text;
}

/** A reference that is not relative: it begins with a scheme or with two slashes. */
const isAbsolute = (reference: string): boolean => /^(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i.test(reference);

/** The attribute `rel` of a link whose URL the author of the text chose. */
const FOREIGN = { rel: ["nofollow", "noopener", "noreferrer"] };

function changeLink(link: Element, { urls }: State): void {
  const reference = String(link.properties["href"] ?? "").trim();
  const { title } = link.properties;
  link.properties = title === undefined ? {} : { title };
  if (isAbsolute(reference)) Object.assign(link.properties, FOREIGN, { href: reference });
  else {
    const href = reference.startsWith("#") ? `#${PREFIX}${reference.slice(1)}` : urls.link(reference);
    if (href !== null && reference !== "") link.properties["href"] = href;
  }
}

/**
 * Returns the picture with the URL of its file in the repository. A picture from another server is replaced
 * by a link to the picture, because loading the picture would reveal the readers of the page to the other
 * server. If a picture from another server is inside a link, only the alternative text of the picture
 * remains.
 */
function pictureOf(picture: Element, { urls, isInLink }: State): Element {
  const reference = String(picture.properties["src"] ?? "").trim();
  const alt = String(picture.properties["alt"] ?? "");
  const src = reference === "" || isAbsolute(reference) ? null : urls.picture(reference);
  if (src !== null) {
    const { title, width, height } = picture.properties;
    return { ...picture, properties: { src, alt, title, width, height, loading: "lazy" } };
  }
  const shown = alt.trim() === "" ? "Picture" : alt;
  const children: ElementContent[] = [{ type: "text", value: shown }];
  if (isInLink || !/^https?:\/\//i.test(reference))
    return { type: "element", tagName: "span", properties: {}, children };
  return {
    type: "element",
    tagName: "a",
    properties: { href: reference, ...FOREIGN },
    children,
  };
}

const TASK = /^\[([ x])\]\s/i;

/** Replaces the marker of a task list item, `[ ]` or `[x]`, with a symbol. */
function changeTask(item: Element): void {
  const [first] =
    item.children[0]?.type === "element" && item.children[0].tagName === "p"
      ? item.children[0].children
      : item.children;
  if (first?.type !== "text") return;
  first.value = first.value.replace(TASK, (_, mark: string) => (mark === " " ? "☐ " : "☑ "));
}

/** Returns a table in a region that keyboard users can scroll. */
const scrollable = (table: Element): Element => ({
  type: "element",
  tagName: "div",
  properties: { role: "region", ariaLabel: "Table", tabIndex: 0, dataTable: "" },
  children: [table],
});
