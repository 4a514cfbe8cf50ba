import type { ReactNode } from "react";
import type { Theme } from "@/kernel/http/theme";
import { FONT_URL } from "./font";

export const ICON_URL = "/icon.svg";

/**
 * The HTML document around every page.
 * @param props.head the additional elements of `<head>`; omitted for Next pages, because Next writes the
 * whole head.
 */
export function Document(props: {
  readonly theme: Theme | undefined;
  readonly head?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <html lang="en" data-theme={props.theme}>
      <head>
        <link rel="preload" href={FONT_URL} as="font" type="font/woff2" crossOrigin="anonymous" />
        {props.head}
      </head>
      <body>{props.children}</body>
    </html>
  );
}
