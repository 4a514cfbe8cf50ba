"use client";

import { createElement, useState } from "react";
import { storedMarkup } from "@/kernel/http/stored-markup";

/** The content of an element: its HTML, or the number of its HTML on the page (`storeMarkup`). */
export type MarkupContent = Readonly<{ digest: string; html: string } | { digest: string; number: number }>;

/**
 * An element whose content is HTML text. The document contains the HTML, but the data for the scripts of the
 * page contain only the number of the HTML, because a page with the HTML in both places would be twice as
 * large. React does not change the content of the element as long as the digest is the same.
 */
export function StoredMarkup(props: {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string | number | boolean | null | undefined>>;
  readonly content: MarkupContent;
}) {
  const { tag, attributes, content } = props;
  const [shown, setShown] = useState(() => ({ digest: content.digest, html: htmlOf(content) }));
  // The server sent other data for the same place of the page.
  if (shown.digest !== content.digest) setShown({ digest: content.digest, html: htmlOf(content) });
  return createElement(tag, {
    ...attributes,
    ...("number" in content ? { [MARK]: content.number } : {}),
    dangerouslySetInnerHTML: { __html: shown.html },
  });
}

/** The attribute with the number of the HTML of an element. */
const MARK = "data-markup";

function htmlOf(content: MarkupContent): string {
  if ("html" in content) return content.html;
  const html = storedMarkup(content.number);
  if (html !== undefined || typeof document === "undefined") return html ?? "";
  // In a browser, the element is in the document until React has rendered the page again, also if React
  // discards the document because a browser extension changed it.
  return document.querySelector(`[${MARK}="${content.number}"]`)?.innerHTML ?? "";
}
