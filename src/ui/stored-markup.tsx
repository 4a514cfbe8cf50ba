"use client";

import { createElement, useState } from "react";
import { readStoredMarkup } from "@/kernel/http/stored-markup";
import { processWide } from "@/kernel/process/process-wide";

/** The content of an element: the digest of its HTML, and the HTML if the document does not contain the HTML. */
export type MarkupContent = Readonly<{ digest: string; html?: string }>;

/**
 * An element whose content is HTML text. The document contains the HTML, but the flight data of the page
 * contain only the digest of the HTML, because a page with the HTML in both places would be twice as large.
 * React does not change the content of the element as long as the digest is the same.
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

/**
 * The HTML texts of the document, by their digests. The texts are read when React renders the first of these
 * elements, because React later removes elements and renders them again from the flight data, for example after
 * an error or when the user returns to the page.
 */
const documentTexts = processWide(
  "document-texts",
  () =>
    new Map(
      [...document.querySelectorAll(`[${MARK}]`)].map((element) => [
        element.getAttribute(MARK),
        element.innerHTML,
      ]),
    ),
);

function htmlOf({ digest, html }: MarkupContent): string {
  if (html !== undefined) return html;
  return typeof document === "undefined" ? readStoredMarkup(digest) : (documentTexts().get(digest) ?? "");
}
