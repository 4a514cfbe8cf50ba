import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { geoNode, geoSite } from "@/fleet/api/entities/geo.ts";
import { saveSite } from "@/fleet/geo/actions.ts";
import { draftOf, readSiteForm } from "@/fleet/geo/schema.ts";
import { createSite, findSite } from "@/fleet/geo/service.ts";
import { createProvider } from "@/identity/providers/service.ts";
import { holdForm } from "@/identity/sessions/held-form.ts";
import { sessionOf } from "@/identity/sessions/service.ts";
import { readSettings } from "@/instance/settings/service.ts";
import { countEvent } from "@/instance/statistics/service.ts";
import * as actions from "@/operations/administration/actions.ts";
import { switchFlag } from "@/operations/flags/actions.ts";
import { addProvider, deleteProvider, saveProvider } from "@/operations/identity-providers/actions.ts";
import { newDraft } from "@/operations/identity-providers/schema.ts";
import { resetToDefault, saveGroup } from "@/operations/settings/actions.ts";
import { registeredClient, type SignedInUser, signedInUser } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import InstanceApplicationPage from "./applications/[id]/page.tsx";
import InstanceApplicationsPage from "./applications/page.tsx";
import AuditEventsPage from "./audit_events/page.tsx";
import FeatureFlagsPage from "./features/page.tsx";
import GeoSitePage from "./geo/sites/[id]/edit/page.tsx";
import IdentityProviderPage from "./identity_providers/[name]/page.tsx";
import NewIdentityProviderPage from "./identity_providers/new/page.tsx";
import IdentityProvidersPage from "./identity_providers/page.tsx";
import AdminPage from "./page.tsx";
import InstanceSettingsPage from "./settings/page.tsx";
import UserPage from "./users/[id]/page.tsx";
import NewUserPage from "./users/new/page.tsx";
import UsersPage from "./users/page.tsx";

/** The simulated request, whose headers the mocked functions of Next.js return. */
const request = vi.hoisted(() => ({ headers: new Headers() }));
vi.mock("next/headers", () => ({
  headers: async () => request.headers,
  cookies: async () => ({ get: () => undefined, set: () => undefined }),
}));

const deps = await openTestDeps();
const NOT_FOUND = "NEXT_HTTP_ERROR_FALLBACK;404";

let boss: SignedInUser;
let eve: SignedInUser;

beforeAll(async () => {
  boss = await signedInUser(deps, "boss");
  await deps.db.user.update({ where: { id: boss.user.id }, data: { admin: true } });
  eve = await signedInUser(deps, "eve");
  await registeredClient(deps, eve.user, { name: "Hers" });
  const site = { name: "second", url: "https://second.example.com/" };
  const created = await createSite(deps, boss.user, site, false);
  if ("problems" in created) throw new Error(JSON.stringify(created.problems));
  const settings = {
    ...newDraft("github"),
    name: "corp",
    allowedDomains: [],
    enforcedDomains: [],
    groupRules: [],
  };
  await createProvider(deps, boss.user, settings, "secret");
});

const as = (user: SignedInUser | null): void => {
  request.headers = new Headers(user === null ? {} : { cookie: user.cookie });
};

const id = { params: Promise.resolve({ id: "1" }) };
const kind = { searchParams: Promise.resolve({ kind: "github" }) };
const query = { searchParams: Promise.resolve({}) };

const PAGES: readonly [string, () => Promise<unknown>][] = [
  ["the overview", () => AdminPage(query)],
  ["users", () => UsersPage(query)],
  ["a new user", NewUserPage],
  ["a user", () => UserPage(id)],
  ["applications", () => InstanceApplicationsPage(query)],
  ["an application", () => InstanceApplicationPage({ ...id, ...query })],
  ["settings", () => InstanceSettingsPage(query)],
  ["feature flags", FeatureFlagsPage],
  ["audit events", () => AuditEventsPage(query)],
  ["a Geo site", () => GeoSitePage(id)],
  ["sign-in providers", IdentityProvidersPage],
  ["a new sign-in provider", () => NewIdentityProviderPage(kind)],
  ["a sign-in provider", () => IdentityProviderPage({ params: Promise.resolve({ name: "corp" }) })],
];

const EDITING = {
  kind: "editing",
  draft: { username: "", name: "", email: "", admin: false },
  problems: {},
} as const;

const FIELDS = {
  id: "1",
  username: "mallory",
  email: "mallory@example.com",
  key: "oauth_code_expires_in",
  name: "oauth2_device_grant_flow",
  to: "on",
  oauth_code_expires_in: "60",
  "was:oauth_code_expires_in": "600",
};

function posted(): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(FIELDS)) form.set(name, value);
  return form;
}

const ACCOUNT = { kind: "editing", email: null, problem: null } as const;

const { createUser, changeUserEmail, resetUserPassword, ...simple } = actions;
const ACTIONS: readonly [string, (form: FormData) => Promise<unknown>][] = [
  ...Object.entries(simple),
  ["createUser", (form) => createUser(EDITING, form)],
  ["changeUserEmail", (form) => changeUserEmail(ACCOUNT, form)],
  ["resetUserPassword", (form) => resetUserPassword(ACCOUNT, form)],
  ["switchFlag", switchFlag],
  ["addProvider", (form) => addProvider({ draft: newDraft("github"), problems: {} }, form)],
  ["saveProvider", (form) => saveProvider({ draft: newDraft("github"), problems: {} }, form)],
  ["deleteProvider", deleteProvider],
  ["saveSite", (form) => saveSite({ draft: readSiteForm(form), problems: {} }, form)],
  ["resetToDefault", resetToDefault],
  ["saveGroup", (form) => saveGroup({ typed: {}, problems: {}, unchanged: false }, form)],
];

describe("the administration for users who are not administrators", () => {
  it.each(PAGES)(
    "the administration pages return 404 to a user who is not an administrator: %s",
    async (_name, page) => {
      as(eve);
      await expect(page()).rejects.toThrow(NOT_FOUND);
    },
  );

  it.each(ACTIONS)(
    "a user who is not an administrator cannot run the server action %s",
    async (_name, action) => {
      as(eve);
      const rows = async () => [
        await deps.db.user.findMany(),
        await deps.db.application.findMany(),
        await deps.db.setting.findMany(),
        await deps.db.featureFlag.findMany(),
        await deps.db.identityProvider.findMany(),
        await deps.db.auditEvent.count(),
      ];
      const before = await rows();
      await expect(action(posted())).rejects.toThrow(NOT_FOUND);
      expect(await rows()).toEqual(before);
    },
  );

  it.each(PAGES)(
    "the administration pages redirect a signed-out visitor to the sign-in page: %s",
    async (_name, page) => {
      as(null);
      await expect(page()).rejects.toMatchObject({
        digest: expect.stringContaining("/users/sign_in?return_to=%2Fadmin"),
      });
    },
  );
});

describe("the administration for administrators", () => {
  it.each(PAGES)("the administration pages are shown to an administrator: %s", async (_name, page) => {
    as(boss);
    await expect(page()).resolves.toBeDefined();
  });

  it("the overview page shows the sign-ins and tokens of a period, and the page of an application shows the tokens of the application", async () => {
    as(boss);
    const [application] = await deps.db.application.findMany({ where: { name: "Hers" } });
    for (let n = 0; n < 1234; n++) countEvent(deps, "token.refreshed", application?.uid ?? "");
    countEvent(deps, "token.issued", "removed");
    const overview = renderToStaticMarkup(await AdminPage(query));
    expect(overview).toMatch(/aria-label="Sign-ins\. Succeeded: \d+, Failed: 0/);
    expect(overview).toContain('aria-label="Tokens. Issued: 1, Refreshed: 1,234.');
    expect(overview).toContain("A removed application");
    expect(overview).toContain("None pending");
    const page = { params: Promise.resolve({ id: String(application?.id) }) };
    const html = renderToStaticMarkup(
      await InstanceApplicationPage({ ...page, searchParams: Promise.resolve({ period: "30d" }) }),
    );
    expect(html).toContain('aria-label="Tokens. Issued: 0, Refreshed: 1,234.');
  });

  it("the settings form saves only the edited fields", async () => {
    as(boss);
    await deps.db.setting.create({
      data: { key: "id_token_expires_in", value: "60", updatedAt: deps.clock() },
    });
    const form = posted();
    // Another administrator changes the lifetime of ID tokens after the settings form was shown.
    form.set("id_token_expires_in", "120");
    form.set("was:id_token_expires_in", "120");
    const before = { typed: {}, problems: {}, unchanged: false };
    await expect(saveGroup(before, form)).rejects.toThrow("NEXT_REDIRECT");
    expect(await readSettings(deps)).toMatchObject({ oauth_code_expires_in: 60, id_token_expires_in: 60 });
    form.set("was:oauth_code_expires_in", "60");
    expect(await saveGroup(before, form)).toMatchObject({ unchanged: true });
    form.set("oauth_code_expires_in", "5");
    form.set("id_token_expires_in", "130");
    expect(await saveGroup(before, form)).toMatchObject({
      typed: { oauth_code_expires_in: "5", id_token_expires_in: "130" },
      problems: { oauth_code_expires_in: expect.stringContaining("from 10 seconds to 10 minutes") },
    });
    expect(await readSettings(deps)).toMatchObject({ oauth_code_expires_in: 60, id_token_expires_in: 60 });
  });

  it("when a duration is entered with a unit, the settings form converts the duration to the unit of the setting", async () => {
    as(boss);
    const form = new FormData();
    form.set("was:session_expires_in", "604800");
    form.set("session_expires_in", "2 days and 12 hours");
    form.set("search", "two words");
    const before = { typed: {}, problems: {}, unchanged: false };
    // After the settings were saved, the settings page still shows only the settings that match the search.
    await expect(saveGroup(before, form)).rejects.toMatchObject({
      digest: expect.stringContaining(";/admin/settings?search=two+words;"),
    });
    expect((await deps.db.setting.findUnique({ where: { key: "session_expires_in" } }))?.value).toBe(
      "216000",
    );
    form.set("was:session_expires_in", "216000");
    expect(await saveGroup(before, form)).toMatchObject({ unchanged: true });
  });

  it("after a re-authentication, the page of a user still contains the entered e-mail address, but not the entered password", async () => {
    as(boss);
    const session = await sessionOf(deps, boss.cookie);
    if (session === null) throw new Error("The administrator has no session.");
    const userPage = { params: Promise.resolve({ id: String(eve.user.id) }) };
    const hold = (name: string, value: string) => {
      const form = new FormData();
      form.set(name, value);
      return holdForm(deps, session, `/admin/users/${eve.user.id}`, form);
    };
    await hold("email", "entered@example.com");
    expect(renderToStaticMarkup(await UserPage(userPage))).toContain('value="entered@example.com"');
    await hold("password", "entered password 1");
    const html = renderToStaticMarkup(await UserPage(userPage));
    expect(html).toContain("Enter the new password again.");
    expect(html).not.toContain("entered password 1");
    expect(await deps.db.heldForm.count()).toBe(0);
  });

  it("the form that resets the password of a user can be sent only in a confirmation dialog", async () => {
    as(boss);
    const html = renderToStaticMarkup(
      await UserPage({ params: Promise.resolve({ id: String(eve.user.id) }) }),
    );
    const form = /<form[^>]*>(?:(?!<form).)*?name="password".*?<\/form>/s.exec(html)?.[0] ?? "";
    const [page, dialog] = form.split("<dialog");
    expect(page).toMatch(/<button type="submit" disabled="" hidden="">/);
    expect(page?.match(/<button type="submit"/g)).toHaveLength(1);
    expect(dialog).toMatch(/Reset the password of .*<button type="submit"/s);
  });

  it("an administrator resets the password of another user, and the sessions of that user end", async () => {
    as(boss);
    const zoe = await signedInUser(deps, "zoe");
    const form = new FormData();
    form.set("id", String(zoe.user.id));
    form.set("password", "short");
    const refused = await actions.resetUserPassword(ACCOUNT, form);
    expect(refused).toMatchObject({ kind: "editing", problem: expect.stringMatching(/^The password .*\.$/) });
    expect(await sessionOf(deps, zoe.cookie)).not.toBeNull();
    form.set("password", "");
    const reset = await actions.resetUserPassword(ACCOUNT, form);
    expect(reset).toMatchObject({ kind: "reset", password: expect.stringMatching(/^[\w-]{24}$/) });
    expect(await sessionOf(deps, zoe.cookie)).toBeNull();
    expect(
      await deps.db.auditEvent.findMany({ where: { userId: zoe.user.id, actorId: boss.user.id } }),
    ).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: "user.changed", details: '{"fields":["password"]}' }),
      ]),
    );
    form.set("id", String(boss.user.id));
    expect(await actions.resetUserPassword(ACCOUNT, form)).toMatchObject({
      problem: expect.stringContaining("Ask another administrator"),
    });
  });

  it("an administrator changes the e-mail address of a user, and sees the form again if the new e-mail address belongs to a different user", async () => {
    as(boss);
    const form = new FormData();
    form.set("id", String(eve.user.id));
    form.set("email", "boss@example.com");
    expect(await actions.changeUserEmail(ACCOUNT, form)).toEqual({
      kind: "editing",
      email: "boss@example.com",
      problem: "The e-mail address is already taken.",
    });
    form.set("email", "eve.new@example.com");
    await expect(actions.changeUserEmail(ACCOUNT, form)).rejects.toThrow("NEXT_REDIRECT");
    expect(await deps.db.user.findUnique({ where: { id: eve.user.id } })).toMatchObject({
      email: "eve.new@example.com",
      emailVerified: true,
    });
  });

  it("the page of a user shows the sessions, tokens, applications and audit events of the user", async () => {
    as(boss);
    const page = { params: Promise.resolve({ id: String(eve.user.id) }) };
    const html = renderToStaticMarkup(await UserPage(page));
    for (const text of [
      "Sessions",
      "Personal access tokens",
      "Authorized applications",
      "Hers",
      "Second factors",
    ])
      expect(html, text).toContain(text);
    expect(html).toContain("changed email of");
  });

  it(
    conformance("SC-34", "the web_edit_url of a Geo site is the URL of the page that edits the site"),
    async () => {
      as(boss);
      const site = await findSite(deps, 1);
      if (site === null) throw new Error("There is no site.");
      const shown = geoSite.present(site, deps, boss.user, "v4");
      expect(new URL(shown.web_edit_url).pathname).toBe("/admin/geo/sites/1/edit");
      expect(geoNode.present(site, deps, boss.user, "v4").web_edit_url).toBe(shown.web_edit_url);
      const html = renderToStaticMarkup(await GeoSitePage(id));
      expect(html).toContain('value="https://second.example.com/"');
      const form = new FormData();
      for (const [name, value] of Object.entries({
        ...draftOf(site),
        id: "1",
        name: "renamed",
        repos_max_capacity: "7",
      }))
        form.set(name, String(value));
      const before = { draft: draftOf(site), problems: {} };
      await expect(saveSite(before, form)).rejects.toThrow("NEXT_REDIRECT");
      expect(await findSite(deps, 1)).toMatchObject({ name: "renamed", reposMaxCapacity: 7, enabled: true });
      form.set("repos_max_capacity", "0");
      expect(await saveSite(before, form)).toMatchObject({
        ...{
          draft: { name: "renamed" },
          problems: { repos_max_capacity: ["must be a whole number from 1 to 10000"] },
        },
      });
      form.set("repos_max_capacity", "7");
      form.set("url", "ftp://second.example.com");
      expect(await saveSite(before, form)).toMatchObject({ problems: { url: [expect.any(String)] } });
      expect(await findSite(deps, 1)).toMatchObject({ url: "https://second.example.com/" });
      await expect(GeoSitePage({ params: Promise.resolve({ id: "99" }) })).rejects.toThrow(NOT_FOUND);
    },
  );

  it("administrators cannot block or demote themselves", async () => {
    as(boss);
    const form = posted();
    form.set("id", String(boss.user.id));
    await expect(actions.blockUser(form)).rejects.toThrow("NEXT_REDIRECT");
    await expect(actions.demoteAdministrator(form)).rejects.toThrow("NEXT_REDIRECT");
    expect(await deps.db.user.findUnique({ where: { id: boss.user.id } })).toMatchObject({
      admin: true,
      state: "active",
    });
  });
});
