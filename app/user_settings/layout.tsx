import type { ReactNode } from "react";
import { PathTrail } from "@/ui/path-trail";
import { Frame } from "../frame";

const SETTINGS = {
  label: "Settings",
  items: [
    {
      label: "Profile",
      href: "/user_settings/profile",
      icon: "profile",
      also: ["/user_settings/delete_account"],
    },
    { label: "Applications", href: "/user_settings/applications", icon: "applications" },
    { label: "Authorized applications", href: "/user_settings/authorized_applications", icon: "authorized" },
    { label: "Personal access tokens", href: "/user_settings/personal_access_tokens", icon: "token" },
    { label: "Two-factor authentication", href: "/user_settings/two_factor", icon: "second_factor" },
    { label: "E-mail notifications", href: "/user_settings/notifications", icon: "mail" },
    { label: "Sessions", href: "/user_settings/sessions", icon: "sessions" },
    { label: "Deprecated API usage", href: "/user_settings/api_v5", icon: "version" },
  ],
} as const;

/** The pages of a registered application have their own breadcrumb, which contains the name of the application. */
const PAGES = {
  "/authorized_applications": "Authorized applications",
  "/personal_access_tokens": "Personal access tokens",
  "/two_factor": "Two-factor authentication",
};

/** The frame of the settings pages of a user. */
export default function SettingsLayout({ children }: { readonly children: ReactNode }) {
  return (
    <Frame side={SETTINGS}>
      <PathTrail home="/user_settings" steps={[]} pages={PAGES} />
      {children}
    </Frame>
  );
}
