"use client";

import { type ReactNode, useEffect } from "react";

/**
 * Makes the browser ask for a confirmation if the user leaves the page without having copied a text that
 * contains the secret. Without JavaScript, the browser does not ask for a confirmation.
 */
export function UnsavedSecret(props: { readonly secret: string; readonly children: ReactNode }) {
  const { secret } = props;
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const stopIfCopied = (text: string) => {
      if (text.includes(secret)) listening.abort();
    };
    window.addEventListener("beforeunload", (event) => event.preventDefault(), { signal });
    document.addEventListener("copy", () => stopIfCopied(selectedText()), { signal });
    document.addEventListener("click", ({ target }) => stopIfCopied(textOfCopyButton(target)), { signal });
    return () => listening.abort();
  }, [secret]);
  return props.children;
}

function selectedText(): string {
  const field = document.activeElement;
  return field instanceof HTMLInputElement ? field.value : String(document.getSelection());
}

/**
 * Returns the text that a copy button copies: the content of its block of code, or of the field next to the
 * button.
 */
function textOfCopyButton(target: EventTarget | null): string {
  const button = target instanceof Element ? target.closest("button") : null;
  const block = button?.closest("figure") ?? button?.parentElement;
  return `${block?.querySelector("input")?.value} ${block?.querySelector("pre")?.textContent}`;
}
