import { anchorOf, chapterPath } from "@/http-api/reference";
import { FLAGS } from "@/instance/flags/catalog";
import { SETTINGS, type SettingKey } from "@/instance/settings/catalog";
import { labelOf } from "../settings/rules";

/** The users to whom the search shows a page: everyone, signed-in users, or administrators. */
type Audience = "everyone" | "users" | "administrators";

/** A page with a fixed URL. `words` are additional search words for the page. */
export type Place = Readonly<{
  label: string;
  href: string;
  audience: Audience;
  detail: string;
  words?: string;
}>;

const PAGES: readonly Place[] = [
  { label: "Home", href: "/", audience: "users", detail: "Page" },
  { label: "Projects", href: "/projects", audience: "everyone", detail: "Page" },
  { label: "Create project", href: "/projects/new", audience: "users", detail: "Page", words: "new" },
  { label: "Groups", href: "/groups", audience: "everyone", detail: "Page" },
  { label: "Create group", href: "/groups/new", audience: "users", detail: "Page", words: "new" },
  ...(
    [
      ["Profile", "/user_settings/profile", "name e-mail email address password picture"],
      ["My applications", "/user_settings/applications", "oauth client"],
      ["Register application", "/user_settings/applications/new", "new oauth client create"],
      ["Authorized applications", "/user_settings/authorized_applications", "revoke consent access"],
      ["Personal access tokens", "/user_settings/personal_access_tokens", "api git"],
      ["Create personal access token", "/user_settings/personal_access_tokens/new", "new api git"],
      ["Two-factor authentication", "/user_settings/two_factor", "2fa passkey totp recovery codes security"],
      ["E-mail notifications", "/user_settings/notifications", "mail security unsubscribe"],
      ["Sessions", "/user_settings/sessions", "signed in browsers devices"],
      ["Deprecated API usage", "/user_settings/api_v5", "deprecated api"],
      ["Delete account", "/user_settings/delete_account", "remove close profile"],
    ] as const
  ).map(([label, href, words]) => ({
    label,
    href,
    words,
    audience: "users" as const,
    detail: "Your settings",
  })),
  { label: "Connect a client", href: "/help/connect", audience: "everyone", detail: "Help", words: "git" },
  { label: "REST API", href: "/help/api", audience: "everyone", detail: "Help", words: "reference openapi" },
  {
    label: "Enter the code of a device",
    href: "/oauth/device",
    audience: "users",
    detail: "Page",
    words: "cli",
  },
  ...(
    [
      ["Administration overview", "/admin", "admin statistics charts sign-ins tokens"],
      ["Users", "/admin/users", "people accounts block"],
      ["Create a user", "/admin/users/new", "new account"],
      ["Invitations", "/admin/invitations", "invite users people e-mail"],
      ["All applications", "/admin/applications", "oauth clients trust block"],
      ["Sign-in providers", "/admin/identity_providers", "sso openid connect github gitlab google microsoft"],
      ["Runners", "/admin/runners", "ci jobs"],
      ["Geo sites", "/admin/geo/sites", "primary secondary replication"],
      ["Instance settings", "/admin/settings", "configuration"],
      ["Feature flags", "/admin/features", "switch"],
      ["Webhooks", "/admin/webhooks", "system hooks instance"],
      ["Audit events", "/admin/audit_events", "log history"],
      ["Deprecated API usage (instance)", "/admin/api_v5", "deprecated api"],
    ] as const
  ).map(([label, href, words]) => ({
    label,
    href,
    words,
    audience: "administrators" as const,
    detail: "Administration",
  })),
];

/** The settings and feature flags of the instance, each with the URL of its field. */
const SETTING_PLACES: readonly Place[] = [
  ...(Object.keys(SETTINGS) as SettingKey[]).map((key) => ({
    label: labelOf(SETTINGS[key]),
    href: `/admin/settings#${key}`,
    audience: "administrators" as const,
    detail: key,
    words: key.replaceAll("_", " "),
  })),
  ...Object.entries(FLAGS).map(([name, { about }]) => ({
    label: about,
    href: "/admin/features",
    audience: "administrators" as const,
    detail: name,
    words: name.replaceAll("_", " "),
  })),
];

/** The names of the resources of the REST API. */
const API_RESOURCES = [
  "Applications",
  "Deploy tokens",
  "Deprecated uses",
  "Features",
  "Geo nodes",
  "Geo sites",
  "Groups",
  "Groups: access tokens",
  "Groups: deploy tokens",
  "Groups: hooks",
  "Groups: invitations",
  "Groups: members",
  "Groups: merge requests",
  "Groups: projects",
  "Groups: registry",
  "Groups: runners",
  "Groups: subgroups",
  "Hooks",
  "Instance",
  "Merge requests",
  "Namespaces",
  "Personal access tokens",
  "Projects",
  "Projects: access tokens",
  "Projects: approval rules",
  "Projects: approvals",
  "Projects: deploy tokens",
  "Projects: error tracking",
  "Projects: hooks",
  "Projects: invitations",
  "Projects: license approval policies",
  "Projects: managed licenses",
  "Projects: members",
  "Projects: merge requests",
  "Projects: packages",
  "Projects: protected branches",
  "Projects: registry",
  "Projects: repository",
  "Projects: runners",
  "Projects: transfer",
  "Registry",
  "Runners",
  "Users",
];

/** The pages of the API reference. They are the last pages, because many of their names begin alike. */
const REFERENCE_PAGES: readonly Place[] = API_RESOURCES.map((name) => ({
  label: name,
  href: chapterPath({ anchor: anchorOf(name) }),
  audience: "everyone",
  detail: "REST API",
  words: "reference",
}));

/** All pages that the search finds without a query to the database. */
export const PLACES: readonly Place[] = [...PAGES, ...SETTING_PLACES, ...REFERENCE_PAGES];
