"use client";

import { useId } from "react";
import { CopyButton } from "./copy-button";

/**
 * A block of source code or commands, with a copy button. Without JavaScript, users can select the text of
 * the block.
 */
export function CodeBlock(props: { readonly label: string; readonly code: string }) {
  const id = useId();
  return (
    <figure className="relative grid min-w-0 gap-2">
      <figcaption className="flex items-center justify-between gap-3 text-small text-muted">
        {props.label}
        <CopyButton text={props.code} label={`Copy: ${props.label}`} sourceId={id} size="small" />
      </figcaption>
      <pre
        id={id}
        className="whitespace-pre-wrap wrap-anywhere rounded-group border border-line bg-ground p-3 font-mono text-small"
      >
        <code>{props.code}</code>
      </pre>
    </figure>
  );
}
