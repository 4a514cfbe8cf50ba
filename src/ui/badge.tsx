import type { ReactNode } from "react";

export function Badge(props: { readonly children: ReactNode }) {
  return (
    <span className="inline-block rounded-full border border-line px-2 text-small whitespace-nowrap text-muted">
      {props.children}
    </span>
  );
}

/** Shows the initials of a name instead of a picture. */
export function Initials(props: { readonly name: string; readonly tone?: "soft" | "strong" }) {
  const letters = props.name
    .split(/\s+/)
    .map((word) => [...word][0] ?? "")
    .join("")
    .slice(0, 2)
    .toUpperCase();
  const tone =
    props.tone === "strong"
      ? "size-12 rounded-group bg-app text-on-app"
      : "size-7 rounded-full bg-soft text-accent text-small";
  return (
    <span aria-hidden="true" className={`grid shrink-0 place-items-center font-semibold ${tone}`}>
      {letters}
    </span>
  );
}
