"use client";

import { CopyButton } from "./copy-button";

/** A value with a copy button. Without JavaScript, users can select the value. */
export function CopyField(props: { readonly id: string; readonly label: string; readonly value: string }) {
  return (
    <div className="grid gap-1">
      <label htmlFor={props.id} className="font-semibold">
        {props.label}
      </label>
      <div className="relative flex gap-2">
        <input
          id={props.id}
          readOnly
          value={props.value}
          autoComplete="off"
          className="min-h-11 w-full min-w-0 rounded-control border border-line bg-ground px-3 font-mono text-small"
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton text={props.value} label={`Copy ${props.label}`} sourceId={props.id} />
      </div>
    </div>
  );
}
