import type { ReactNode } from "react";
import { currentSession } from "@/identity/sessions/loaders";
import { Account } from "@/identity/sign-in/components/account";
import { CommandPalette } from "@/operations/search/components/command-palette";
import { ThemeSwitch } from "@/ui/appearance/components/theme-switch";
import { readFlash } from "@/ui/appearance/flash";
import { chosenTheme } from "@/ui/appearance/loaders";
import { ButtonLink } from "@/ui/button";
import type { NavItem } from "@/ui/nav";
import { PageShell } from "@/ui/page-shell";
import { StaticMarkup } from "@/ui/static-markup";
import { Toast } from "@/ui/toast";

const HOME = { label: "Home", href: "/", icon: "home" } as const;
const PROJECTS = { label: "Projects", href: "/projects", also: ["/groups"], icon: "projects" } as const;
const SETTINGS = { label: "Settings", href: "/user_settings", icon: "settings" } as const;
const ADMIN = { label: "Admin", href: "/admin", icon: "admin" } as const;

/**
 * The frame of every page except the pages on which a user makes a decision, such as the consent page. The
 * frame does not check permissions, because each page checks its own permissions.
 */
export async function Frame(props: {
  readonly side?: { readonly label: string; readonly items: readonly NavItem[] };
  readonly children: ReactNode;
}) {
  const session = await currentSession();
  const theme = (await chosenTheme()) ?? "system";
  const places = session === null ? [] : [HOME, PROJECTS, SETTINGS, ...(session.user.admin ? [ADMIN] : [])];
  return (
    <PageShell
      brand="Gatehouse"
      nav={places}
      {...(props.side === undefined ? {} : { side: props.side })}
      account={
        <StaticMarkup>
          <CommandPalette />
          {session === null ? (
            <ButtonLink href="/users/sign_in" size="small">
              Sign in
            </ButtonLink>
          ) : (
            <Account session={session} />
          )}
        </StaticMarkup>
      }
      footer={
        <StaticMarkup>
          <a href="/help/connect" className="text-muted">
            Connect a client
          </a>
          <a href="/help/api" className="text-muted">
            REST API
          </a>
          <span className="ml-auto">
            <ThemeSwitch theme={theme} />
          </span>
        </StaticMarkup>
      }
    >
      <Toast text={await readFlash()} />
      {props.children}
    </PageShell>
  );
}
