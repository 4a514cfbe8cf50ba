"use client";

import { type ReactNode, useCallback, useEffect, useRef } from "react";
import { CopyListener } from "@/ui/copy-button";

/**
 * Makes the browser ask for a confirmation if the user leaves the page without having copied a text that
 * contains the secret. Without JavaScript, the browser does not ask for a confirmation.
 */
export function UnsavedSecret(props: { readonly secret: string; readonly children: ReactNode }) {
  const { secret } = props;
  const listening = useRef<AbortController>(null);
  const stopIfCopied = useCallback(
    (text: string) => {
      if (text.includes(secret)) listening.current?.abort();
    },
    [secret],
  );
  useEffect(() => {
    const controller = new AbortController();
    listening.current = controller;
    const { signal } = controller;
    window.addEventListener("beforeunload", (event) => event.preventDefault(), { signal });
    document.addEventListener("copy", () => stopIfCopied(selectedText()), { signal });
    return () => controller.abort();
  }, [stopIfCopied]);
  return <CopyListener value={stopIfCopied}>{props.children}</CopyListener>;
}

function selectedText(): string {
  const field = document.activeElement;
  return field instanceof HTMLInputElement ? field.value : String(document.getSelection());
}
