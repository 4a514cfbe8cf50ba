"use client";

import type { ReactNode } from "react";
import { useField } from "@/ui/form-fields";

const BEFORE = "template_before";

/** The hidden field with the name of the template that the form shows. */
export const TemplateBefore = () => <input type="hidden" name={BEFORE} value={useField(BEFORE).value} />;

/** A button that applies a template to the form that contains the button. */
export function TemplateButton({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  const isChosen = useField(BEFORE).value === name;
  return (
    <button
      type="submit"
      name="template"
      value={name}
      aria-pressed={isChosen}
      className={`grid cursor-pointer content-start gap-1 rounded-group border px-4 py-3 text-left hover:bg-ground ${
        isChosen ? "border-accent bg-soft" : "border-control bg-panel"
      }`}
    >
      {children}
    </button>
  );
}
