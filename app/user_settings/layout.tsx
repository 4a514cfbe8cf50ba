import type { ReactNode } from "react";
import { Account } from "@/features/sign-in/components/account";
import { currentSession } from "@/features/sign-in/loaders";
import { PageShell } from "@/ui/page-shell";

const SETTINGS = [{ label: "Applications", href: "/user_settings/applications", current: true }];

/** The frame of a person's settings. Each page proves by itself that somebody is signed in. */
export default async function SettingsLayout({ children }: { readonly children: ReactNode }) {
  const session = await currentSession();
  return (
    <PageShell
      brand="Gatehouse"
      nav={[{ label: "Settings", href: "/user_settings/applications", current: true }]}
      side={SETTINGS}
      account={session === null ? null : <Account session={session} />}
    >
      {children}
    </PageShell>
  );
}
