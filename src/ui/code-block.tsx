"use client";

import { useState } from "react";
import { Button } from "./button";

/**
 * A block of source code or commands, with a copy button. Without JavaScript, users can select the text of
 * the block.
 */
export function CodeBlock(props: { readonly label: string; readonly code: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(props.code);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <figure className="grid min-w-0 gap-2">
      <figcaption className="flex items-center justify-between gap-3 text-small text-muted">
        {props.label}
        <Button type="button" size="small" onClick={copy} aria-label={`Copy: ${props.label}`}>
          {copied ? "Copied" : "Copy"}
        </Button>
      </figcaption>
      <pre className="whitespace-pre-wrap wrap-anywhere rounded-group border border-line bg-ground p-3 font-mono text-small">
        <code>{props.code}</code>
      </pre>
    </figure>
  );
}
