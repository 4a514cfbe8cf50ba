import type { ReactNode } from "react";
import type { Theme } from "@/kernel/http/theme";

export const ICON_URL = "/icon.svg";

/**
 * The HTML document around every page.
 * @param props.head the content of `<head>`; omitted for Next pages, because Next writes it.
 */
export function Document(props: {
  readonly theme: Theme | undefined;
  readonly head?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <html lang="en" data-theme={props.theme}>
      {props.head === undefined ? null : <head>{props.head}</head>}
      <body>{props.children}</body>
    </html>
  );
}
