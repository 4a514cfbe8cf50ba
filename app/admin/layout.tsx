import type { ReactNode } from "react";
import { PathTrail } from "@/ui/path-trail";
import { Frame } from "../frame";

const ADMINISTRATION = {
  label: "Administration",
  items: [
    { label: "Overview", href: "/admin", icon: "overview" },
    { label: "Users", href: "/admin/users", icon: "users", also: ["/admin/invitations"] },
    { label: "Applications", href: "/admin/applications", icon: "applications" },
    { label: "Sign-in providers", href: "/admin/identity_providers", icon: "second_factor" },
    { label: "Runners", href: "/admin/runners", icon: "runner" },
    { label: "Geo sites", href: "/admin/geo/sites", icon: "site" },
    { label: "Settings", href: "/admin/settings", icon: "sliders" },
    { label: "Feature flags", href: "/admin/features", icon: "flag" },
    { label: "Webhooks", href: "/admin/webhooks", icon: "site" },
    { label: "Audit events", href: "/admin/audit_events", icon: "audit" },
    { label: "Deprecated API usage", href: "/admin/api_v5", icon: "version" },
  ],
} as const;

const PAGES = {
  "/applications": "Applications",
  "/geo/sites": "Geo sites",
  "/identity_providers": "Sign-in providers",
  "/runners": "Runners",
  "/users": "Users",
  "/users/:id": "User",
  "/users/:id/impersonation_tokens": "Impersonation tokens",
  "/webhooks": "Webhooks",
};

/** The administration pages. Each page checks that the user is an administrator. */
export default function AdminLayout({ children }: { readonly children: ReactNode }) {
  return (
    <Frame side={ADMINISTRATION}>
      <PathTrail home="/admin" steps={[]} pages={PAGES} />
      {children}
    </Frame>
  );
}
