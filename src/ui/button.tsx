import type { ButtonHTMLAttributes, ReactNode } from "react";

const SHAPE =
  "inline-flex items-center justify-center rounded-control border font-semibold whitespace-nowrap no-underline transition-colors motion-reduce:transition-none cursor-pointer disabled:cursor-default disabled:opacity-60";

const SIZES = {
  normal: "min-h-11 px-4 py-2 text-base",
  small: "min-h-8 px-3 py-1 text-small",
} as const satisfies Record<string, string>;

const KINDS = {
  primary: "border-accent bg-accent text-on-accent hover:opacity-90",
  plain: "border-control bg-panel text-ink hover:bg-ground",
  danger: "border-danger bg-panel text-danger hover:bg-ground",
} as const satisfies Record<string, string>;

export type ButtonKind = keyof typeof KINDS;
type Look = Readonly<{ kind?: ButtonKind | undefined; size?: keyof typeof SIZES | undefined }>;

export const buttonLooks = ({ kind = "plain", size = "normal" }: Look): string =>
  `${SHAPE} ${SIZES[size]} ${KINDS[kind]}`;

type Props = ButtonHTMLAttributes<HTMLButtonElement> & Look;

export function Button({ kind, size, type = "submit", className = "", ...rest }: Props) {
  return <button type={type} className={`${buttonLooks({ kind, size })} ${className}`} {...rest} />;
}

/** A link that looks like a button. */
export function ButtonLink(props: Look & { readonly href: string; readonly children: ReactNode }) {
  return (
    <a href={props.href} className={buttonLooks(props)}>
      {props.children}
    </a>
  );
}
