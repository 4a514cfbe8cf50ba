import type { Page } from "@playwright/test";
import { hasGit } from "../git/git.ts";
import type { Registered } from "../oauth/fixtures.ts";
import { HOSTILE } from "./code-world.ts";
import { replaceText } from "./hydration.ts";
import { openPalette } from "./palette.ts";
import { CALLBACK, LONG_NAME, OF_GROUP, PASSWORD, type World } from "./places-world.ts";

/** A page under test, in a state that a user can see. */
export type Place = Readonly<{
  name: string;
  /** The user who is signed in, or `nobody` if no user is signed in. */
  as: "nobody" | "ann" | "mia" | "root";
  /** Opens the page. A string is the URL of the page. */
  go: string | ((page: Page, world: World) => Promise<void>);
}>;

/** Signs in as the user of the page, or signs out if the user is `nobody`. */
export async function become(page: Page, { instance }: World, username: Place["as"]): Promise<void> {
  await page.context().clearCookies({ name: /gatehouse_session/ });
  if (username === "nobody") return;
  await page.goto("/users/sign_in?return_to=/help/connect");
  await page.getByLabel("Username or e-mail").fill(username);
  await page.getByLabel("Password").fill(username === "root" ? instance.rootPassword : PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL((url) => url.pathname === "/help/connect");
}

const consent =
  (of: (world: World) => Registered, scope: string) =>
  async (page: Page, world: World): Promise<void> => {
    const client = of(world);
    const redirect =
      client === world.awkward ? `https://${"a".repeat(60)}.example/${"path".repeat(30)}` : CALLBACK;
    const query = { client_id: client.client_id, redirect_uri: redirect, response_type: "code", scope };
    await page.goto(`/oauth/authorize?${new URLSearchParams(query)}`);
    await page.getByRole("button", { name: "Allow" }).waitFor();
  };

async function deviceCard(page: Page, { instance, cli }: World): Promise<void> {
  const response = await fetch(`${instance.baseUrl}/oauth/authorize_device`, {
    method: "POST",
    headers: { "user-agent": "acme-cli/2.1 (Linux)" },
    body: new URLSearchParams({ client_id: cli.client_id, scope: "read_user" }),
  });
  const { user_code } = await response.json();
  await page.goto(`/oauth/device?user_code=${user_code}`);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Allow" }).waitFor();
}

const application =
  (name: string) =>
  async (page: Page): Promise<void> => {
    await page.goto("/user_settings/applications");
    await page.getByRole("link", { name, exact: true }).click();
    await page.getByRole("heading", { name, exact: true }).waitFor();
  };

/**
 * Opens the page of a group's application that has a name that is hard to lay out. The first call transfers
 * the application to the group.
 */
async function applicationOfGroup(page: Page): Promise<void> {
  await page.goto("/groups/1/settings/applications");
  if ((await page.getByRole("link", { name: OF_GROUP }).count()) === 0) {
    await page.goto("/groups/1/settings/applications/new");
    await page.getByLabel("Name", { exact: true }).fill(OF_GROUP);
    await page.getByLabel("Redirect URIs").fill(CALLBACK);
    await page.getByLabel("No, the application runs in a browser").check();
    await page.getByRole("checkbox", { name: "read_user", exact: true }).check();
    await page.getByRole("button", { name: "Register", exact: true }).last().click();
    await page.getByRole("heading", { name: OF_GROUP }).waitFor();
    return;
  }
  await page.getByRole("link", { name: OF_GROUP }).click();
  await page.getByRole("heading", { name: OF_GROUP }).waitFor();
}

async function applicationForm(page: Page): Promise<void> {
  await application("Acme Deploy")(page);
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByRole("heading", { name: "Edit Acme Deploy" }).waitFor();
}

async function mismatch(page: Page, { deploy }: World): Promise<void> {
  const query = {
    client_id: deploy.client_id,
    redirect_uri: "https://deploy.acme.example/calback?from=app",
    response_type: "code",
  };
  await page.goto(`/oauth/authorize?${new URLSearchParams(query)}`);
}

/** Opens a commit by its title in the list of commits. */
const commit =
  (title: string) =>
  async (page: Page): Promise<void> => {
    await page.goto("/projects/1/commits");
    await page.getByRole("link", { name: title, exact: true }).click();
    await page.getByRole("heading", { name: title, exact: true }).waitFor();
  };

async function palette(page: Page): Promise<void> {
  await page.goto("/help/connect");
  await openPalette(page);
  await page.getByRole("combobox").fill("acme");
  await page.getByRole("option", { name: /Acme/ }).first().waitFor();
}

const hostileFile = `/projects/1/file?${new URLSearchParams({ path: HOSTILE.path })}`;

/** Pages that require Git. */
const CODE: readonly Place[] = [
  { name: "code", as: "nobody", go: "/projects/1/tree" },
  {
    name: "code-hostile",
    as: "ann",
    go: `/projects/1/tree?${new URLSearchParams({ path: HOSTILE.folder })}`,
  },
  { name: "code-empty", as: "ann", go: "/projects/2/tree" },
  { name: "code-file", as: "ann", go: "/projects/1/file?path=src/pay.js&ref=v1" },
  { name: "code-file-hostile", as: "ann", go: hostileFile },
  { name: "code-file-binary", as: "ann", go: "/projects/1/file?path=logo.bin" },
  { name: "code-file-markdown", as: "nobody", go: "/projects/1/file?path=README.md" },
  { name: "code-file-picture", as: "nobody", go: "/projects/1/file?path=img/a+till.png" },
  { name: "code-commits", as: "nobody", go: "/projects/1/commits" },
  { name: "code-commit", as: "ann", go: commit("Pay once") },
  { name: "code-commit-hostile", as: "ann", go: commit(HOSTILE.title) },
  { name: "merge-requests", as: "nobody", go: "/projects/1/merge_requests" },
  { name: "merge-request", as: "ann", go: "/projects/1/merge_requests/1" },
  { name: "merge-request-edit", as: "mia", go: "/projects/1/merge_requests/1/edit" },
  { name: "merge-request-new", as: "mia", go: "/projects/1/merge_requests/new" },
  { name: "protected-branches", as: "ann", go: "/projects/1/settings/protected_branches" },
  { name: "approval-rule-new", as: "ann", go: "/projects/1/settings/merge_requests/rules/new" },
  { name: "approval-rule", as: "ann", go: "/projects/1/settings/merge_requests/rules/1" },
  { name: "code-absent", as: "ann", go: "/projects/1/tree?ref=absent" },
];

/** Opens the page that shows the steps of a trial authorization. */
async function trialResult(page: Page): Promise<void> {
  await application("Acme Deploy")(page);
  await page.getByRole("link", { name: "Try the authorization" }).click();
  await page.getByRole("link", { name: "Start the authorization" }).click();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByRole("heading", { name: "The authorization of Acme Deploy" }).waitFor();
}

/** Registers an application, and opens the page that shows its secret once. */
async function newSecret(page: Page): Promise<void> {
  await page.goto("/user_settings/applications/new?template=server");
  await page.getByLabel("Name", { exact: true }).fill("Acme Board");
  await replaceText(page.getByLabel("Redirect URIs"), CALLBACK);
  await page.getByRole("button", { name: "Register" }).click();
  await page.getByRole("heading", { name: "Save the secret of Acme Board" }).waitFor();
}

/** All pages, in the states that users can see. */
export const PLACES: readonly Place[] = [
  { name: "sign-in", as: "nobody", go: "/users/sign_in" },
  { name: "sign-in-wrong", as: "nobody", go: "/users/sign_in?problem=wrong" },
  { name: "sign-in-limit", as: "nobody", go: "/users/sign_in?problem=limit&minutes=3" },
  { name: "not-found", as: "nobody", go: "/there/is/no/such/page" },
  { name: "authorize-unknown", as: "nobody", go: "/oauth/authorize?client_id=unknown" },
  { name: "consent", as: "ann", go: consent(({ deploy }) => deploy, "read_user read_repository") },
  {
    name: "consent-everything",
    as: "root",
    go: consent(({ awkward }) => awkward, "openid read_user write_repository api"),
  },
  { name: "device-code", as: "ann", go: "/oauth/device" },
  { name: "device-card", as: "ann", go: deviceCard },
  { name: "device-expired", as: "ann", go: "/oauth/device?expired=1" },
  { name: "end-session", as: "ann", go: "/oauth/end_session" },
  { name: "connect", as: "ann", go: "/help/connect" },
  { name: "api", as: "nobody", go: "/help/api" },
  { name: "api-resource", as: "nobody", go: "/help/api/projects" },
  { name: "api-search", as: "nobody", go: "/help/api?search=token" },
  { name: "home", as: "ann", go: "/" },
  { name: "home-new", as: "root", go: "/" },
  { name: "applications", as: "ann", go: "/user_settings/applications" },
  { name: "applications-none", as: "root", go: "/user_settings/applications" },
  { name: "application-new", as: "ann", go: "/user_settings/applications/new" },
  { name: "application", as: "ann", go: application("Acme Deploy") },
  { name: "application-awkward", as: "ann", go: application(LONG_NAME) },
  { name: "application-edit", as: "ann", go: applicationForm },
  { name: "application-of-group", as: "ann", go: applicationOfGroup },
  {
    name: "application-transfer",
    as: "ann",
    go: async (page) => {
      await application(LONG_NAME)(page);
      await page.getByLabel("New owner").fill("acme");
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("button", { name: "Transfer the application" }).waitFor();
    },
  },
  { name: "redirect-uri-differs", as: "ann", go: mismatch },
  {
    name: "application-secret",
    as: "ann",
    go: async (page) => {
      await application("Acme Deploy")(page);
      await page.goto(`${page.url()}/secret`);
    },
  },
  {
    name: "application-trial",
    as: "ann",
    go: async (page) => {
      await application("Acme Deploy")(page);
      await page.getByRole("link", { name: "Try the authorization" }).click();
      await page.getByRole("heading", { name: "Try the authorization of Acme Deploy" }).waitFor();
    },
  },
  { name: "application-trial-result", as: "ann", go: trialResult },
  {
    name: "application-webhook",
    as: "ann",
    go: async (page) => {
      await application("Acme Deploy")(page);
      await page.goto(`${page.url()}/webhooks`);
      await page.getByLabel("URL").fill("https://hooks.acme.example/");
      await page.getByRole("button", { name: "Create webhook" }).click();
      await page.getByRole("link", { name: "Show the webhook and its messages" }).click();
      await page.getByRole("heading", { name: "Webhook", exact: true }).waitFor();
    },
  },
  {
    name: "application-webhooks",
    as: "ann",
    go: async (page) => {
      await application("Acme Deploy")(page);
      await page.goto(`${page.url()}/webhooks`);
    },
  },
  { name: "authorized", as: "mia", go: "/user_settings/authorized_applications" },
  {
    name: "authorized-application",
    as: "mia",
    go: async (page) => {
      await page.goto("/");
      await page.getByRole("link", { name: "Acme Deploy" }).click();
      await page.getByRole("heading", { name: "Acme Deploy" }).waitFor();
    },
  },
  { name: "delete-account", as: "mia", go: "/user_settings/delete_account" },
  { name: "delete-account-sole-owner", as: "ann", go: "/user_settings/delete_account" },
  { name: "authorized-none", as: "root", go: "/user_settings/authorized_applications" },
  { name: "tokens", as: "mia", go: "/user_settings/personal_access_tokens" },
  { name: "tokens-none", as: "root", go: "/user_settings/personal_access_tokens" },
  { name: "token-new", as: "mia", go: "/user_settings/personal_access_tokens/new" },
  { name: "notifications", as: "mia", go: "/user_settings/notifications" },
  { name: "sessions", as: "mia", go: "/user_settings/sessions" },
  { name: "ready-for-v5", as: "mia", go: "/user_settings/api_v5" },
  { name: "profile", as: "mia", go: "/user_settings/profile" },
  { name: "two-factor", as: "mia", go: "/user_settings/two_factor" },
  { name: "two-factor-app", as: "mia", go: "/user_settings/two_factor/app" },
  { name: "two-factor-passkey", as: "mia", go: "/user_settings/two_factor/passkey" },
  { name: "confirm", as: "mia", go: "/users/confirm?return_to=/" },
  { name: "password-reset", as: "nobody", go: "/users/password/new" },
  { name: "password-reset-sent", as: "nobody", go: "/users/password/new?sent=1" },
  { name: "password-reset-limit", as: "nobody", go: "/users/password/new?problem=limit&minutes=3" },
  { name: "password-reset-invalid-link", as: "nobody", go: "/users/password/edit" },
  { name: "sign-up-closed", as: "nobody", go: "/users/sign_up" },
  { name: "projects", as: "ann", go: "/projects" },
  { name: "person", as: "ann", go: "/mia" },
  { name: "projects-none-found", as: "ann", go: "/projects?scope=all&search=nothing" },
  { name: "project-new", as: "ann", go: "/projects/new?group=1" },
  { name: "project", as: "ann", go: "/projects/1" },
  { name: "project-awkward", as: "ann", go: "/projects/2" },
  { name: "project-public", as: "nobody", go: "/projects/1" },
  { name: "projects-public", as: "nobody", go: "/projects" },
  { name: "project-absent", as: "ann", go: "/projects/999" },
  { name: "project-members", as: "ann", go: "/projects/1/members" },
  { name: "project-members-seen", as: "mia", go: "/projects/1/members" },
  { name: "project-settings", as: "ann", go: "/projects/1/settings" },
  { name: "project-access-tokens", as: "ann", go: "/projects/1/settings/access_tokens" },
  { name: "project-deploy-tokens", as: "ann", go: "/projects/1/settings/deploy_tokens" },
  { name: "project-deploy-token-new", as: "ann", go: "/projects/1/settings/deploy_tokens/new" },
  { name: "project-access-token-new", as: "ann", go: "/projects/1/settings/access_tokens/new" },
  { name: "project-merge-requests", as: "ann", go: "/projects/1/settings/merge_requests" },
  { name: "license-policies", as: "mia", go: "/projects/1/settings/license_policies" },
  { name: "license-policies-edit", as: "ann", go: "/projects/1/settings/license_policies" },
  { name: "license-policies-none", as: "ann", go: "/projects/2/settings/license_policies" },
  { name: "license-policy-new", as: "ann", go: "/projects/1/settings/license_policies/new" },
  { name: "license-policy", as: "ann", go: "/projects/1/settings/license_policies/1" },
  { name: "project-error-tracking", as: "ann", go: "/projects/1/settings/error_tracking" },
  ...(hasGit() ? CODE : []),
  { name: "project-errors", as: "mia", go: "/projects/1/errors?status=all&range=14d" },
  { name: "project-errors-off", as: "ann", go: "/projects/2/errors" },
  { name: "project-errors-change-all", as: "mia", go: "/projects/1/errors/change_all" },
  { name: "project-error", as: "mia", go: "/projects/1/errors/1" },
  { name: "project-error-message", as: "mia", go: "/projects/1/errors/2?range=14d" },
  { name: "project-packages", as: "ann", go: "/projects/1/packages" },
  { name: "project-packages-none", as: "nobody", go: "/projects/1/packages?search=nothing" },
  { name: "groups", as: "ann", go: "/groups" },
  { name: "group-new", as: "ann", go: "/groups/new?parent=1" },
  { name: "group", as: "ann", go: "/groups/1" },
  { name: "group-members", as: "ann", go: "/groups/1/members" },
  { name: "group-settings", as: "ann", go: "/groups/2/settings" },
  { name: "group-access-tokens", as: "ann", go: "/groups/1/settings/access_tokens" },
  { name: "group-access-tokens-none", as: "ann", go: "/groups/2/settings/access_tokens" },
  { name: "group-access-token-new", as: "ann", go: "/groups/2/settings/access_tokens/new" },
  { name: "group-deploy-tokens", as: "ann", go: "/groups/1/settings/deploy_tokens" },
  { name: "group-deploy-token-new", as: "ann", go: "/groups/1/settings/deploy_tokens/new" },
  { name: "group-runner-new", as: "ann", go: "/groups/1/settings/runners/new" },
  { name: "group-webhooks", as: "ann", go: "/groups/1/settings/webhooks" },
  { name: "group-webhook", as: "ann", go: "/groups/1/settings/webhooks/1" },
  { name: "group-runners", as: "ann", go: "/groups/1/settings/runners" },
  { name: "project-runners", as: "ann", go: "/projects/1/settings/runners" },
  { name: "project-runner-new", as: "ann", go: "/projects/1/settings/runners/new" },
  { name: "group-applications-none", as: "ann", go: "/groups/2/settings/applications" },
  { name: "group-applications", as: "ann", go: "/groups/1/settings/applications" },
  { name: "group-application-new", as: "ann", go: "/groups/1/settings/applications/new" },
  { name: "search", as: "ann", go: "/search?search=a" },
  { name: "search-none", as: "nobody", go: "/search?search=nothing+at+all" },
  { name: "search-palette", as: "root", go: palette },
  { name: "admin", as: "root", go: "/admin" },
  { name: "admin-users", as: "root", go: "/admin/users" },
  { name: "admin-user", as: "root", go: "/admin/users/2" },
  { name: "admin-user-new", as: "root", go: "/admin/users/new" },
  { name: "admin-applications", as: "root", go: "/admin/applications" },
  { name: "admin-application", as: "root", go: "/admin/applications/1" },
  { name: "admin-providers", as: "root", go: "/admin/identity_providers" },
  { name: "admin-provider-new", as: "root", go: "/admin/identity_providers/new?kind=openid_connect" },
  {
    name: "admin-provider",
    as: "root",
    go: async (page) => {
      if ((await page.goto("/admin/identity_providers/github"))?.status() === 200) return;
      await page.goto("/admin/identity_providers/new?kind=github");
      await page.getByLabel("Client ID").fill("acme");
      await page.getByLabel("Client secret").fill("a client secret");
      await page.getByRole("button", { name: "Add provider" }).click();
      await page.waitForURL("**/admin/identity_providers/github");
    },
  },
  { name: "admin-provider-kinds", as: "root", go: "/admin/identity_providers/new" },
  { name: "admin-invitations", as: "root", go: "/admin/invitations" },
  { name: "admin-impersonation-tokens", as: "root", go: "/admin/users/2/impersonation_tokens" },
  {
    name: "admin-impersonation-token-new",
    as: "root",
    go: "/admin/users/2/impersonation_tokens/new",
  },
  { name: "admin-runners", as: "root", go: "/admin/runners" },
  { name: "admin-runner-new", as: "root", go: "/admin/runners/new" },
  { name: "admin-geo-sites", as: "root", go: "/admin/geo/sites" },
  { name: "admin-geo-site-new", as: "root", go: "/admin/geo/sites/new" },
  { name: "admin-geo-site", as: "root", go: "/admin/geo/sites/1/edit" },
  { name: "admin-settings", as: "root", go: "/admin/settings" },
  { name: "admin-settings-search", as: "root", go: "/admin/settings?search=lifetime" },
  { name: "admin-features", as: "root", go: "/admin/features" },
  { name: "admin-webhooks", as: "root", go: "/admin/webhooks" },
  { name: "admin-webhook", as: "root", go: "/admin/webhooks/3" },
  { name: "project-webhooks", as: "ann", go: "/projects/1/settings/webhooks" },
  { name: "project-webhook", as: "ann", go: "/projects/1/settings/webhooks/2" },
  { name: "admin-audit", as: "root", go: "/admin/audit_events" },
  { name: "admin-v5", as: "root", go: "/admin/api_v5" },
  // The last page of Ann, because it registers an application.
  { name: "application-secret-new", as: "ann", go: newSecret },
];
