"use client";

import { type ChangeEvent, useEffect, useState } from "react";

/**
 * A checkbox that selects or deselects all checkboxes of a form that have a given name. Without JavaScript,
 * the checkbox is invisible. The invisible checkbox occupies its space, so that no element moves when the
 * script loads.
 */
export function SelectAll(props: { readonly form: string; readonly name: string; readonly label: string }) {
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  const select = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    const form = document.getElementById(props.form);
    if (!(form instanceof HTMLFormElement)) return;
    for (const field of form.elements)
      if (field instanceof HTMLInputElement && field.name === props.name) field.checked = target.checked;
  };
  return (
    <label className={`flex items-center gap-3 pl-4 text-small ${isReady ? "" : "invisible"}`}>
      <input type="checkbox" className="size-5 accent-accent" onChange={select} />
      {props.label}
    </label>
  );
}
