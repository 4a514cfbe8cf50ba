"use client";

import { createElement, useState } from "react";
import { storedMarkup } from "@/kernel/http/stored-markup";

/** The content of an element: the digest of its HTML, and the HTML if the document does not contain it. */
export type MarkupContent = Readonly<{ digest: string; html?: string }>;

/**
 * An element whose content is HTML text. The document contains the HTML, but the data for the scripts of the
 * page contain only the digest of the HTML, because a page with the HTML in both places would be twice as
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
    ...(content.html === undefined ? { [MARK]: content.digest } : {}),
    dangerouslySetInnerHTML: { __html: shown.html },
  });
}

/** The attribute with the digest of the HTML of an element. */
const MARK = "data-markup";

function htmlOf({ digest, html }: MarkupContent): string {
  if (html !== undefined) return html;
  // In a browser, the element is in the document until React has rendered the page, also if React discards the
  // document because a browser extension changed it.
  if (typeof document !== "undefined")
    return document.querySelector(`[${MARK}="${digest}"]`)?.innerHTML ?? "";
  return storedMarkup(digest) ?? "";
}
