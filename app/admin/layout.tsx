import type { ReactNode } from "react";
import { Frame } from "../frame";

const ADMINISTRATION = {
  label: "Administration",
  items: [
    { label: "Overview", href: "/admin" },
    { label: "Users", href: "/admin/users" },
    { label: "Applications", href: "/admin/applications" },
    { label: "Settings", href: "/admin/settings" },
    { label: "Feature flags", href: "/admin/features" },
    { label: "Audit events", href: "/admin/audit_events" },
    { label: "Ready for v5", href: "/admin/api_v5" },
  ],
};

/** The administration pages. Each page checks that the user is an administrator. */
export default function AdminLayout({ children }: { readonly children: ReactNode }) {
  return <Frame side={ADMINISTRATION}>{children}</Frame>;
}
