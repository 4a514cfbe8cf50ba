"use client";

import { useState } from "react";
import { Button } from "@/ui/button";

/**
 * A button that copies a stack trace as text. Without JavaScript, users can select the text of the frames
 * instead.
 */
export function CopyStack({ text }: { readonly text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <Button type="button" size="small" onClick={copy} aria-label="Copy the stack trace">
      {copied ? "Copied" : "Copy"}
    </Button>
  );
}
