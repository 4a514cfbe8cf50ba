"use client";

import { useState } from "react";
import { Button } from "./button";

/** A value with a copy button. Without JavaScript, users can select the value. */
export function CopyField(props: { readonly id: string; readonly label: string; readonly value: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(props.value);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <div className="grid gap-1">
      <label htmlFor={props.id} className="font-semibold">
        {props.label}
      </label>
      <div className="flex gap-2">
        <input
          id={props.id}
          readOnly
          value={props.value}
          autoComplete="off"
          className="min-h-11 w-full min-w-0 rounded-control border border-line bg-ground px-3 font-mono text-small"
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button type="button" onClick={copy} aria-label={`Copy ${props.label}`}>
          {copied ? "Copied" : "Copy"}
        </Button>
      </div>
    </div>
  );
}
