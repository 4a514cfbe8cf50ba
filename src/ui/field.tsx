import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from "react";

const CONTROL =
  "w-full rounded-control border border-control bg-panel px-3 py-2 text-base text-ink placeholder:text-muted aria-invalid:border-danger";

type Frame = Readonly<{ label: string; hint?: ReactNode; problems?: readonly string[] | undefined }>;

/**
 * Returns the HTML ids of the hint and of the error messages of a field, for the attribute
 * `aria-describedby`.
 */
const describedBy = (id: string, { hint, problems }: Frame): string | undefined =>
  [hint ? `${id}-hint` : "", problems?.length ? `${id}-problems` : ""].filter(Boolean).join(" ") || undefined;

/**
 * A labeled one-line field with its error messages. The first letter of the entered text determines the text
 * direction of the field.
 */
export function Field({
  label,
  hint,
  problems,
  id,
  ...input
}: Frame & InputHTMLAttributes<HTMLInputElement> & { readonly id: string }) {
  const frame = { label, hint, problems };
  return (
    <FieldFrame id={id} {...frame}>
      <input
        id={id}
        dir="auto"
        className={`${CONTROL} min-h-11`}
        aria-invalid={problems?.length ? true : undefined}
        aria-describedby={describedBy(id, frame)}
        {...input}
      />
    </FieldFrame>
  );
}

/**
 * A labeled field for several lines of code. If `prose` is true, the field is for normal text, without a
 * monospace font.
 */
export function TextField({
  label,
  hint,
  problems,
  id,
  prose = false,
  defaultValue,
  ...input
}: Frame &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "value"> & {
    readonly id: string;
    readonly prose?: boolean;
    readonly defaultValue: string;
  }) {
  const frame = { label, hint, problems };
  return (
    <FieldFrame id={id} {...frame}>
      <textarea
        id={id}
        dir={prose ? "auto" : "ltr"}
        className={`${CONTROL} ${prose ? "" : "font-mono text-small"}`}
        aria-invalid={problems?.length ? true : undefined}
        aria-describedby={describedBy(id, frame)}
        defaultValue={hydratedText(defaultValue)}
        {...input}
      />
    </FieldFrame>
  );
}

/**
 * Returns the default value of a text area as a type with which React keeps the text that the user entered before
 * hydration. If the default value is a string that is equal to the content of the element, React assigns the string
 * as the value of the element (`initTextarea` in react-dom), which removes the entered text. An array is never equal
 * to the content. A text that starts with a line feed stays a string, because React protects the first line feed only
 * in a string, and the HTML parser removes the first line feed of a text area.
 */
const hydratedText = (text: string): string | readonly string[] => (text.startsWith("\n") ? text : [text]);

function FieldFrame({
  id,
  label,
  hint,
  problems,
  children,
}: Frame & { readonly id: string; readonly children: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <label htmlFor={id} className="font-semibold wrap-anywhere">
        {label}
      </label>
      {hint ? (
        <p id={`${id}-hint`} className="text-small text-muted wrap-anywhere">
          {hint}
        </p>
      ) : null}
      {children}
      <FieldProblems id={`${id}-problems`} texts={problems} />
    </div>
  );
}

/** The error messages of a field, which are shown next to the field. */
export function FieldProblems({
  id,
  texts,
}: {
  readonly id: string;
  readonly texts: readonly string[] | undefined;
}) {
  if (!texts?.length) return null;
  return (
    <ul id={id} className="grid gap-1 text-small text-danger">
      {texts.map((text) => (
        <li key={text} className="break-words">
          {text}
        </li>
      ))}
    </ul>
  );
}

/** A labeled field in which the user selects one of several options. */
export function SelectField({
  label,
  hint,
  problems,
  id,
  children,
  ...input
}: Frame & SelectHTMLAttributes<HTMLSelectElement> & { readonly id: string }) {
  const frame = { label, hint, problems };
  return (
    <FieldFrame id={id} {...frame}>
      <select
        id={id}
        className={`${CONTROL} min-h-11`}
        aria-invalid={problems?.length ? true : undefined}
        aria-describedby={describedBy(id, frame)}
        {...input}
      >
        {children}
      </select>
    </FieldFrame>
  );
}
