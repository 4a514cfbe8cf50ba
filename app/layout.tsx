import "./globals.css";
import type { Metadata } from "next";
import type { ReactNode } from "react";
import { documentTitle, PRODUCT_NAME } from "@/kernel/config/product";
import { chosenTheme } from "@/ui/appearance/loaders";
import { Document, ICON_URL } from "@/ui/document";

export const metadata: Metadata = {
  title: { default: PRODUCT_NAME, template: documentTitle("%s") },
  icons: { icon: ICON_URL },
};

export default async function RootLayout({ children }: Readonly<{ children: ReactNode }>) {
  // Reading a cookie also prevents Next from rendering pages such as "not found" at build time, when no nonce
  // is available.
  const theme = await chosenTheme();
  return <Document theme={theme}>{children}</Document>;
}
