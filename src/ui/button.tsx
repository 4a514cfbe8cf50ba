import type { ButtonHTMLAttributes, ReactNode } from "react";

const SHAPE =
  "inline-flex min-h-11 items-center justify-center rounded-control border px-4 py-2 text-base font-semibold whitespace-nowrap no-underline transition-colors motion-reduce:transition-none cursor-pointer disabled:cursor-default disabled:opacity-60";

const KINDS = {
  primary: "border-accent bg-accent text-on-accent hover:opacity-90",
  plain: "border-line bg-panel text-ink hover:bg-ground",
  danger: "border-danger bg-panel text-danger hover:bg-ground",
} as const satisfies Record<string, string>;

export type ButtonKind = keyof typeof KINDS;

type Props = ButtonHTMLAttributes<HTMLButtonElement> & { readonly kind?: ButtonKind };

export function Button({ kind = "plain", type = "submit", className = "", ...rest }: Props) {
  return <button type={type} className={`${SHAPE} ${KINDS[kind]} ${className}`} {...rest} />;
}

/** A link that looks like the button beside it. */
export function ButtonLink(props: {
  readonly href: string;
  readonly kind?: ButtonKind;
  readonly children: ReactNode;
}) {
  return (
    <a href={props.href} className={`${SHAPE} ${KINDS[props.kind ?? "plain"]}`}>
      {props.children}
    </a>
  );
}
