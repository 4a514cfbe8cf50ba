import { createHash } from "node:crypto";
import { createElement, Fragment, isValidElement, type ReactElement, type ReactNode } from "react";
import { storeMarkup } from "@/kernel/http/page-markup";
import { type MarkupContent, StoredMarkup } from "./stored-markup";

type Props = Readonly<Record<string, unknown>>;

/** A part of a page: its HTML, or null if React must render the part, and the nodes that React renders. */
type Part = Readonly<{ html: string | null; node: () => ReactNode }>;

/** The place of a part: within an SVG image, or within a select box with a default value. */
type Place = Readonly<{ isSvg?: boolean; selected?: string }>;

/**
 * Shows its children. Each part without a component that runs in the browser is HTML text for React. Without
 * this component, React converts each element of a page to data, and the data to HTML (docs/decisions/0063).
 * The flight data of a document contain the digests of long HTML texts instead of the texts.
 * Browsers submit the forms in such a part without a script, as all forms without JavaScript. React replaces
 * the whole part when a refresh of the page changes the part, so a part whose fields the user changes must not
 * be on a page that a script refreshes.
 */
export const StaticMarkup = ({ children }: { readonly children: ReactNode }): ReactNode =>
  partOf(children, {}).node();

/** Returns a part that React renders. */
const dynamic = (node: ReactNode): Part => ({ html: null, node: () => node });

/** Returns a part with the same content, in which React recognizes the content by its key. */
const keyed = (key: string | null, { html, node }: Part): Part =>
  key === null ? { html, node } : { html, node: () => <Fragment key={key}>{node()}</Fragment> };

function partOf(node: ReactNode, place: Place): Part {
  if (node === null || node === undefined || typeof node === "boolean") return { html: "", node: () => null };
  if (typeof node === "string" || typeof node === "number")
    return { html: escapeHtml(String(node)), node: () => node };
  if (Array.isArray(node)) return listPart(node, place);
  return isValidElement<Props>(node) ? elementPart(node, place) : dynamic(node);
}

function listPart(nodes: readonly ReactNode[], place: Place): Part {
  const parts = nodes.map((node) => partOf(node, place));
  return {
    html: joined(parts),
    node: () => createElement(Fragment, null, ...parts.map(({ node }) => node())),
  };
}

function joined(parts: readonly Part[]): string | null {
  let text = "";
  for (const { html } of parts) {
    if (html === null) return null;
    text += html;
  }
  return text;
}

function elementPart(element: ReactElement<Props>, place: Place): Part {
  const { type, key, props } = element;
  const children = props["children"] as ReactNode;
  if (type === Fragment || type === StaticMarkup) return keyed(key, partOf(children, place));
  if (typeof type === "string") return hostPart(element, type, place);
  if (typeof type !== "function" || isClientReference(type) || type.constructor.name === "AsyncFunction")
    return dynamic(element);
  const output = (type as (props: Props) => ReactNode)(props);
  return keyed(key, output instanceof Promise ? dynamic(output) : partOf(output, place));
}

const isClientReference = (component: object): boolean =>
  "$$typeof" in component && component.$$typeof === Symbol.for("react.client.reference");

/** The elements that React moves to the head of the document, or whose content is not HTML. */
const REACT_TAGS: ReadonlySet<string> = new Set(
  "base body head html iframe link meta noscript script style template textarea title".split(" "),
);
const VOID_TAGS: ReadonlySet<string> = new Set("area br col embed hr img input source track wbr".split(" "));

/** `isWritten` says whether this module writes elements with the tag. */
type Tag = Readonly<{ isWritten: boolean; isVoid: boolean }>;

const tagOf = remembered(
  (name): Tag => ({
    isWritten: !REACT_TAGS.has(name) && /^[a-z][a-z0-9]*$/i.test(name),
    isVoid: VOID_TAGS.has(name),
  }),
);

/** Returns a function that computes the result for each name only once. The code of a page has few different names. */
function remembered<Result>(compute: (name: string) => Result): (name: string) => Result {
  const results = new Map<string, Result>();
  return (name) => {
    const stored = results.get(name);
    if (stored !== undefined) return stored;
    const result = compute(name);
    results.set(name, result);
    return result;
  };
}

function hostPart(element: ReactElement<Props>, tag: string, place: Place): Part {
  const isSvg = place.isSvg === true || tag === "svg";
  const { isWritten, isVoid } = tagOf(tag);
  if (!isWritten && !(isSvg && tag === "title")) return dynamic(element);
  const inside = contentOf(element, placeIn(tag, element.props, place));
  const node = (): ReactNode => nodeOf(element, tag, inside);
  if (inside.html === null) return { html: null, node };
  const { attributes, first } = formOf(tag, element.props);
  const written = attributesOf(attributes, tag, isSvg, place);
  if (written === null) return { html: null, node };
  if (isVoid) return { html: `<${tag}${written}>`, node };
  // The HTML parser removes a line feed at the beginning of this element.
  const lead = tag === "pre" && inside.html.startsWith("\n") ? "\n" : "";
  return { html: `<${tag}${written}>${first}${lead}${inside.html}</${tag}>`, node };
}

/** Returns an element for React: its content is HTML text if no part of the content needs React. */
function nodeOf(element: ReactElement<Props>, tag: string, inside: Part): ReactNode {
  const { key, props } = element;
  const { children, dangerouslySetInnerHTML: raw, ...rest } = props;
  // React sets the selected option of a select box itself.
  if (raw !== undefined || tag === "select" || isText(children)) return element;
  const own = key === null ? rest : { ...rest, key };
  if (inside.html === null) return createElement(tag, own, inside.node());
  if (inside.html.length >= STORED_LENGTH_MIN && isPlain(rest))
    return createElement(StoredMarkup, {
      ...(key === null ? {} : { key }),
      ...{ tag, attributes: rest, content: storeContent(inside.html) },
    });
  return createElement(tag, { ...own, dangerouslySetInnerHTML: { __html: inside.html } });
}

/** The minimum length of HTML that is stored. A reference to shorter HTML would be as long as the HTML. */
const STORED_LENGTH_MIN = 200;

type Attributes = Parameters<typeof StoredMarkup>[0]["attributes"];

/** Stores the HTML of an element. @returns the digest of the HTML, and the HTML if it was not stored. */
function storeContent(html: string): MarkupContent {
  // 72 bits are enough that two different texts of a page do not have the same digest by accident.
  const digest = createHash("sha1").update(html).digest("base64url").slice(0, 12);
  return storeMarkup(digest, html) ? { digest } : { digest, html };
}

/** Returns whether all attributes are values that the flight data can contain. */
const isPlain = (attributes: Props): attributes is Attributes =>
  Object.values(attributes).every((value) => value === null || !/^(?:object|function)$/.test(typeof value));

function contentOf({ props }: ReactElement<Props>, place: Place): Part {
  const raw = props["dangerouslySetInnerHTML"] as { readonly __html: string } | undefined;
  return raw === undefined
    ? partOf(props["children"] as ReactNode, place)
    : { html: String(raw.__html), node: () => null };
}

/** Returns whether the content of an element contains no other elements. */
const isText = (children: unknown): boolean =>
  Array.isArray(children) ? children.every(isText) : typeof children !== "object" || children === null;

/** Returns the place of the content of an element. */
function placeIn(tag: string, { defaultValue }: Props, place: Place): Place {
  if (tag === "svg") return { ...place, isSvg: true };
  return tag === "select" && typeof defaultValue === "string" ? { ...place, selected: defaultValue } : place;
}

/** A server action, as Next marks it. An action with bound arguments has the property `$$bound`. */
type ServerAction = Readonly<{ $$typeof: symbol; $$id: string; $$bound: unknown }>;

const isServerAction = (value: unknown): value is ServerAction =>
  typeof value === "function" &&
  (value as Partial<ServerAction>).$$typeof === Symbol.for("react.server.reference") &&
  (value as Partial<ServerAction>).$$bound === null;

/** Returns the attributes and the hidden field of a form, as React writes them for a server action. */
function formOf(tag: string, attributes: Props): Readonly<{ attributes: Props; first: string }> {
  const { action } = attributes;
  if (tag !== "form" || !isServerAction(action)) return { attributes, first: "" };
  const sent = { action: "", encType: "multipart/form-data", method: "POST" };
  const first = `<input type="hidden" name="$ACTION_ID_${escapeHtml(action.$$id)}">`;
  return { attributes: { ...attributes, ...sent }, first };
}

const BOOLEANS: ReadonlySet<string> = new Set(
  "autoFocus checked defaultChecked disabled hidden inert multiple noValidate open readOnly required reversed selected".split(
    " ",
  ),
);
const URLS: ReadonlySet<string> = new Set(["action", "formAction", "href", "src"]);
/** The attributes whose names in HTML differ from their names in React. */
const RENAMED: Readonly<Record<string, string>> = {
  className: "class",
  htmlFor: "for",
  defaultValue: "value",
  defaultChecked: "checked",
  fillRule: "fill-rule",
  clipRule: "clip-rule",
  pointerEvents: "pointer-events",
  strokeLinecap: "stroke-linecap",
  strokeLinejoin: "stroke-linejoin",
  strokeWidth: "stroke-width",
  vectorEffect: "vector-effect",
};
const SVG_NAMES: ReadonlySet<string> = new Set([
  "viewBox",
  "preserveAspectRatio",
  "tabIndex",
  ...Object.keys(RENAMED),
]);

/**
 * `written` is the name in HTML, `isReact` says whether React must write the attribute, and `isReactInSvg` says
 * this for an SVG element. `isText` says whether the attribute has the texts "true" and "false".
 */
type Name = Readonly<
  Record<"isContent" | "isReact" | "isReactInSvg" | "isBoolean" | "isText" | "isUrl", boolean> & {
    written: string;
  }
>;

const nameOf = remembered((name): Name => {
  const isReact = name === "ref" || /^on/i.test(name);
  return {
    written: RENAMED[name] ?? name,
    isContent: name === "children" || name === "dangerouslySetInnerHTML",
    isReact,
    isReactInSvg: isReact || (/[A-Z]/.test(name) && !SVG_NAMES.has(name)),
    isBoolean: BOOLEANS.has(name),
    isText: /^(?:aria-|data-|spellCheck$|draggable$)/.test(name),
    isUrl: URLS.has(name),
  };
});

/**
 * Returns the attributes of an element as HTML; null if React must write an attribute, for example an event
 * handler.
 */
function attributesOf(attributes: Props, tag: string, isSvg: boolean, { selected }: Place): string | null {
  let html = "";
  for (const key in attributes) {
    const value = attributes[key];
    if (value === null || value === undefined) continue;
    const name = nameOf(key);
    if (name.isContent || (tag === "select" && key === "defaultValue")) continue;
    if (key === "defaultValue" && "value" in attributes) return null;
    if (isSvg ? name.isReactInSvg : name.isReact) return null;
    const text = writtenValue(name, value);
    if (text === false) continue;
    if (text === null || (name.isUrl && /^\W*j\W*a\W*v\W*a/i.test(text))) return null;
    html += key === "className" ? classOf(text) : ` ${name.written}="${escapeHtml(text)}"`;
  }
  const isSelected = tag === "option" && selected !== undefined && String(attributes["value"]) === selected;
  return isSelected ? `${html} selected=""` : html;
}

const classOf = remembered((text) => ` class="${escapeHtml(text)}"`);

/**
 * Returns the value of an attribute: null if React must write the attribute, and false if the element does not
 * have the attribute.
 */
function writtenValue({ isBoolean, isText }: Name, value: unknown): string | false | null {
  if (typeof value === "string") return isBoolean ? null : value;
  if (typeof value === "number") return String(value);
  if (typeof value !== "boolean") return null;
  if (isText) return String(value);
  if (!value) return false;
  return isBoolean ? "" : null;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#x27;",
};
const escapeHtml = (text: string): string =>
  /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character) : text;
