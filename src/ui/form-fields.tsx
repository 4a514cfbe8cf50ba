"use client";

import { type ComponentProps, createContext, type ReactNode, useContext } from "react";
import { useFormStatus } from "react-dom";
import { Button } from "./button";
import { ChoiceGroup, ChoiceRow } from "./choice";
import { Field, FieldProblems, SelectField, TextField } from "./field";
import { Notice } from "./notice";

/**
 * The values of the fields of a form, keyed by the names of the fields, and the error messages of the fields,
 * keyed by the same names or by other keys. After a form action, the new state of the form contains the
 * entered values, so that the fields keep their values. The server renders the labels and the hints of the
 * fields, so that the script does not contain these texts.
 */
type FormContent = Readonly<{
  values: Readonly<Record<string, readonly string[] | undefined>>;
  problems: Readonly<Record<string, readonly string[] | undefined>>;
}>;

const Content = createContext<FormContent>({ values: {}, problems: {} });

/** Provides the values and error messages to all fields in a form. */
export const FormContentProvider = Content.Provider;

/** Returns the value and the error messages of a field. */
export function useField(name: string, problemKey = name) {
  const { values, problems } = useContext(Content);
  return { value: values[name]?.[0] ?? "", problems: problems[problemKey] };
}

/**
 * The properties of a field of the form. `problemKey` is the key of the error messages, if the key differs
 * from the name of the field.
 */
type Bound<Props> = Omit<Props, "problems" | "defaultValue"> &
  Readonly<{ name: string; problemKey?: string }>;

export function FormField({ problemKey, ...props }: Bound<ComponentProps<typeof Field>>) {
  const { value, problems } = useField(props.name, problemKey);
  return <Field {...props} defaultValue={value} problems={problems} />;
}

export function FormTextField({ problemKey, ...props }: Bound<ComponentProps<typeof TextField>>) {
  const { value, problems } = useField(props.name, problemKey);
  return <TextField {...props} defaultValue={value} problems={problems} />;
}

export function FormSelect({ problemKey, ...props }: Bound<ComponentProps<typeof SelectField>>) {
  const { value, problems } = useField(props.name, problemKey);
  return <SelectField {...props} defaultValue={value} problems={problems} />;
}

/** A group of choices, with the error messages that have the key `problemKey`. */
export function FormChoiceGroup({
  problemKey,
  ...props
}: Omit<ComponentProps<typeof ChoiceGroup>, "problems"> & Readonly<{ problemKey: string }>) {
  return <ChoiceGroup {...props} problems={useContext(Content).problems[problemKey]} />;
}

/** Several groups of choices with common error messages. The legend is for screen readers. */
export function FormFieldset(props: {
  readonly legend: string;
  readonly problemKey: string;
  readonly children: ReactNode;
}) {
  const problems = useContext(Content).problems[props.problemKey];
  const id = `${props.problemKey}-problems`;
  return (
    <fieldset className="grid gap-4" aria-describedby={problems?.length ? id : undefined}>
      <legend className="sr-only">{props.legend}</legend>
      <FieldProblems id={id} texts={problems} />
      {props.children}
    </fieldset>
  );
}

/** A choice, which is selected if the values of the form contain the value of the choice. */
export function FormChoice(
  props: ComponentProps<typeof ChoiceRow> & Readonly<{ name: string; value: string }>,
) {
  const chosen = useContext(Content).values[props.name] ?? [];
  return <ChoiceRow {...props} defaultChecked={chosen.includes(props.value)} />;
}

/** A notice that is shown if a field of the form has an error. */
export function FormProblems({ children }: { readonly children: ReactNode }) {
  const hasProblems = Object.keys(useContext(Content).problems).length > 0;
  return hasProblems ? <Notice kind="problem">{children}</Notice> : null;
}

/**
 * A section of the form that is open if the value of a field differs from the default, or if a field has an
 * error.
 * @param props.defaults the default values, keyed by the names of the fields.
 */
export function FormDetails(props: {
  readonly defaults: Readonly<Record<string, string>>;
  readonly problemKeys: readonly string[];
  readonly summary: ReactNode;
  readonly children: ReactNode;
}) {
  const { values, problems } = useContext(Content);
  const differs = ([name, value]: readonly [string, string]): boolean =>
    (values[name] ?? []).join().trim() !== value;
  const isOpen =
    Object.entries(props.defaults).some(differs) || props.problemKeys.some((key) => problems[key]?.length);
  return (
    <details open={isOpen} className="rounded-group border border-line">
      <summary className="cursor-pointer rounded-group px-4 py-3 hover:bg-panel">{props.summary}</summary>
      <div className="grid gap-6 border-line border-t p-4">{props.children}</div>
    </details>
  );
}

/** A submit button that is disabled while the form is sent. */
export const SubmitButton = (props: ComponentProps<typeof Button>) => (
  <Button {...props} disabled={useFormStatus().pending || props.disabled} />
);
