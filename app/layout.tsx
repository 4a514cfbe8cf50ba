import "./globals.css";
import type { Metadata } from "next";
import type { ReactNode } from "react";
import { chosenTheme } from "@/ui/appearance/loaders";

export const metadata: Metadata = {
  title: { default: "Gatehouse", template: "%s · Gatehouse" },
  icons: { icon: "/icon.svg" },
};

export default async function RootLayout({ children }: Readonly<{ children: ReactNode }>) {
  // Reading a cookie also keeps pages such as "not found" from being made at build time, without a nonce.
  const theme = await chosenTheme();
  return (
    <html lang="en" data-theme={theme}>
      <body>{children}</body>
    </html>
  );
}
