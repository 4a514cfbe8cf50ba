import type { InputHTMLAttributes, ReactNode } from "react";
import { FieldProblems } from "./field";

/** A group of choices below a question. */
export function ChoiceGroup(props: {
  readonly id: string;
  readonly legend: string;
  readonly hint?: ReactNode;
  readonly problems?: readonly string[] | undefined;
  readonly children: ReactNode;
}) {
  return (
    <fieldset
      className="grid gap-2"
      aria-describedby={props.problems?.length ? `${props.id}-problems` : undefined}
    >
      <legend className="mb-1 font-semibold">{props.legend}</legend>
      {props.hint ? <p className="text-small text-muted">{props.hint}</p> : null}
      <FieldProblems id={`${props.id}-problems`} texts={props.problems} />
      <div className="divide-y divide-line overflow-hidden rounded-group border border-line bg-panel">
        {props.children}
      </div>
    </fieldset>
  );
}

/**
 * A checkbox or radio button in a row. The user can press the whole row. The label is the accessible name, and the
 * detail is the accessible description.
 */
export function ChoiceRow({
  id,
  label,
  detail,
  ...input
}: InputHTMLAttributes<HTMLInputElement> & {
  readonly id: string;
  readonly label: ReactNode;
  readonly detail: ReactNode;
}) {
  return (
    <label className="flex cursor-pointer gap-3 px-4 py-3 hover:bg-ground">
      <input
        id={id}
        className="mt-1 size-4 shrink-0 accent-accent"
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-detail`}
        {...input}
      />
      <span className="grid min-w-0">
        <span id={`${id}-label`} className="font-semibold">
          {label}
        </span>
        <span id={`${id}-detail`} className="text-small text-muted">
          {detail}
        </span>
      </span>
    </label>
  );
}
