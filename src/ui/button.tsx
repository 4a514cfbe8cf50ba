import type { ButtonHTMLAttributes, ReactNode } from "react";

const SIZES = { normal: "", small: " button-small" } as const satisfies Record<string, string>;

const KINDS = {
  primary: " button-primary",
  plain: "",
  danger: " button-danger",
} as const satisfies Record<string, string>;

export type ButtonKind = keyof typeof KINDS;
type Look = Readonly<{ kind?: ButtonKind | undefined; size?: keyof typeof SIZES | undefined }>;

/** Returns the classes of a button, which `app/globals.css` defines. */
export const buttonLooks = ({ kind = "plain", size = "normal" }: Look): string =>
  `button${SIZES[size]}${KINDS[kind]}`;

type Props = ButtonHTMLAttributes<HTMLButtonElement> & Look;

export function Button({ kind, size, type = "submit", className = "", ...rest }: Props) {
  return <button type={type} className={`${buttonLooks({ kind, size })} ${className}`.trimEnd()} {...rest} />;
}

/** A link that looks like a button. */
export function ButtonLink(props: Look & { readonly href: string; readonly children: ReactNode }) {
  return (
    <a href={props.href} className={buttonLooks(props)}>
      {props.children}
    </a>
  );
}
