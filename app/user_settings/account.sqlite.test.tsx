import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { saveEmail, savePassword, saveProfile } from "@/identity/profile/actions.ts";
import { endSession } from "@/identity/sessions/actions.ts";
import { revokeApplication, revokeGrant } from "@/oauth/authorizations/actions.ts";
import { loadAuthorizedApplications } from "@/oauth/authorizations/loaders.ts";
import { createToken, revokeToken, rotateToken } from "@/oauth/personal-access-tokens/actions.ts";
import { createPersonalToken } from "@/oauth/personal-access-tokens/service.ts";
import {
  bearerStatus,
  type Client,
  PASSWORD,
  registeredClient,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { grantedTokens } from "@/testing/tokens.ts";
import AuthorizedApplicationPage from "./authorized_applications/[id]/page.tsx";
import AuthorizedApplicationsPage from "./authorized_applications/page.tsx";
import NewPersonalAccessTokenPage from "./personal_access_tokens/new/page.tsx";
import PersonalAccessTokensPage from "./personal_access_tokens/page.tsx";
import ProfilePage from "./profile/page.tsx";
import SessionsPage from "./sessions/page.tsx";

/** The simulated request, whose headers the mocked functions of Next.js return. */
const request = vi.hoisted(() => ({ headers: new Headers(), flash: "" }));
vi.mock("next/headers", () => ({
  headers: async () => request.headers,
  cookies: async () => ({
    set: (_name: string, text: string) => {
      request.flash = text;
    },
  }),
}));
vi.mock("next/cache", () => ({ revalidatePath: () => undefined }));

const deps = await openTestDeps();
const NAME = `<script>alert("x")</script> متجر`;

let ann: SignedInUser;
let eve: SignedInUser;
let client: Client;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  eve = await signedInUser(deps, "eve");
  client = await registeredClient(deps, ann.user, { name: NAME });
});

const as = (user: SignedInUser | null) => {
  request.headers = new Headers(user === null ? {} : { cookie: user.cookie });
  request.flash = "";
};
beforeEach(() => as(ann));

const searchParams = Promise.resolve({});
const shown = async (page: Promise<ReactElement>) => renderToStaticMarkup(await page);
const onePage = (id: string | number) =>
  AuthorizedApplicationPage({ params: Promise.resolve({ id: String(id) }), searchParams });

function formOf(fields: Readonly<Record<string, string | number>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  return form;
}

const leadsTo = (path: string) => ({ digest: expect.stringContaining(`;${path};`) });

describe("a signed-out visitor", () => {
  const pages: [string, () => Promise<ReactElement>][] = [
    ["authorized_applications", () => AuthorizedApplicationsPage({ searchParams })],
    ["authorized_applications/1", () => onePage(1)],
    ["personal_access_tokens", () => PersonalAccessTokensPage({ searchParams })],
    ["personal_access_tokens/new", () => NewPersonalAccessTokenPage({ searchParams })],
    ["sessions", () => SessionsPage({ searchParams })],
    ["profile", () => ProfilePage()],
  ];
  it.each(pages)(
    "a signed-out visitor who opens %s is redirected to the sign-in page, and returns to the opened page after the sign-in",
    async (path, page) => {
      as(null);
      const returnTo = encodeURIComponent(`/user_settings/${path}`);
      await expect(page()).rejects.toMatchObject(leadsTo(`/users/sign_in?return_to=${returnTo}`));
    },
  );
});

describe("authorized applications", () => {
  it("the empty list of authorized applications says what the page is for", async () => {
    expect(await shown(AuthorizedApplicationsPage({ searchParams }))).toContain("No application can use");
  });

  it("a page of authorized applications contains at most the requested number of applications", async () => {
    const zoe = await signedInUser(deps, "zoe");
    for (const name of ["One", "Two", "Three", "Four", "Five", "Six"])
      await grantedTokens(deps, zoe, await registeredClient(deps, ann.user, { name }));
    as(zoe);
    const page = await loadAuthorizedApplications({ page: "2" }, 4);
    expect(page.applications.map(({ name }) => name)).toEqual(["Two", "One"]);
    expect(page).toMatchObject({ total: 6, pages: 2 });
  });

  it("the names of authorized applications are escaped, and do not change the text direction of the surrounding text", async () => {
    await grantedTokens(deps, ann, client);
    for (const html of [
      await shown(AuthorizedApplicationsPage({ searchParams })),
      await shown(onePage(client.application.id)),
    ]) {
      expect(html).not.toContain("<script>alert");
      expect(html).toContain("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; متجر");
    }
    expect(await shown(AuthorizedApplicationsPage({ searchParams }))).toMatch(/<bdi[^>]*>&lt;script/);
  });

  it("only the user who authorized an application can revoke the access of the application", async () => {
    const { access } = await grantedTokens(deps, ann, client);
    const { id } = await deps.db.tokenFamily.findFirstOrThrow({ orderBy: { id: "desc" } });
    as(eve);
    await expect(onePage(client.application.id)).rejects.toMatchObject({
      digest: expect.stringContaining("404"),
    });
    const toTheList = leadsTo("/user_settings/authorized_applications");
    await expect(revokeGrant(formOf({ id }))).rejects.toMatchObject(toTheList);
    await expect(revokeApplication(formOf({ id: client.application.id }))).rejects.toMatchObject(toTheList);
    expect(request.flash).toBe("");
    expect(await bearerStatus(access)).toBe(200);
    as(ann);
    const page = `/user_settings/authorized_applications/${client.application.id}`;
    const form = formOf({ id, application: client.application.id });
    await expect(revokeGrant(form)).rejects.toMatchObject(leadsTo(page));
    expect(request.flash).toContain("is revoked");
    expect(await bearerStatus(access)).toBe(401);
    await expect(revokeGrant(formOf({ id, application: "//evil.example" }))).rejects.toMatchObject(toTheList);
  });

  it.each(["0", "none1", "999999", "1e1", "%00"])(
    "the page of the authorized application %s returns 404",
    async (id) => {
      await expect(onePage(id)).rejects.toMatchObject({ digest: expect.stringContaining("404") });
    },
  );
});

describe("access tokens", () => {
  const EDITING = {
    kind: "editing",
    draft: { name: "", scopes: [], expiresAt: null },
    problems: {},
  } as const;

  it("the form that creates an access token shows every error, and shows the new token once", async () => {
    const refused = await createToken(
      EDITING,
      formOf({ name: " ", expires_at: "2020-01-01", scopes: "sudo" }),
    );
    expect(refused).toMatchObject({
      kind: "editing",
      draft: { name: " ", scopes: ["sudo"], expiresAt: "2020-01-01" },
      problems: { name: [expect.any(String)], scopes: [expect.any(String)], expiresAt: [expect.any(String)] },
    });
    const late = await createToken(EDITING, formOf({ name: NAME, expires_at: "2999-12-31", scopes: "api" }));
    expect(late).toMatchObject({ problems: { expiresAt: [expect.stringContaining("at most 365 days")] } });
    const created = await createToken(EDITING, formOf({ name: NAME, expires_at: "", scopes: "read_user" }));
    if (created.kind !== "created") throw new Error("The token was not created.");
    expect(await bearerStatus(created.value)).toBe(200);
    const html = await shown(PersonalAccessTokensPage({ searchParams }));
    expect(html).toMatch(/<bdi[^>]*>&lt;script&gt;/);
    expect(html).toMatch(/expires <time[^>]* dateTime="2027-11-2/);
    expect(html).not.toContain(created.value);
    expect(await shown(NewPersonalAccessTokenPage({ searchParams }))).toContain('value="2026-12-21"');
  });

  it("an access token can be rotated and revoked only by its own user", async () => {
    const draft = { name: "hers", scopes: ["read_user"], expiresAt: null };
    const created = await createPersonalToken(deps, ann.user, draft);
    if ("problems" in created) throw new Error("The token was not created.");
    const form = () => formOf({ id: created.token.id, expires_at: "" });
    as(eve);
    expect(await rotateToken(null, form())).toMatchObject({ kind: "refused" });
    await expect(revokeToken(form())).rejects.toMatchObject(leadsTo("/user_settings/personal_access_tokens"));
    expect(await bearerStatus(created.value)).toBe(200);
    as(ann);
    const late = await rotateToken(null, formOf({ id: created.token.id, expires_at: "2020-01-01" }));
    expect(late).toMatchObject({
      kind: "refused",
      text: expect.stringContaining("Enter an expiration date in the future."),
    });
    expect(await rotateToken(null, form())).toMatchObject({ kind: "created", name: "hers" });
    expect(await bearerStatus(created.value)).toBe(401);
  });
});

describe("sessions", () => {
  it("a user cannot end the sessions of another user", async () => {
    const { id } = await deps.db.session.findFirstOrThrow({ where: { userId: ann.user.id } });
    as(eve);
    await expect(endSession(formOf({ id }))).rejects.toMatchObject(leadsTo("/user_settings/sessions"));
    expect(request.flash).toBe("");
    as(ann);
    const html = await shown(SessionsPage({ searchParams }));
    expect(html).toContain("this browser");
    expect(html).toContain("You are not signed in anywhere else.");
  });
});

describe("the profile", () => {
  it("the profile page saves its data with three forms, which show each error next to the invalid field and never show a password", async () => {
    const NEW = { typed: {}, problems: {} };
    expect(await saveProfile(NEW, formOf({ name: "", private_profile: "true" }))).toEqual({
      typed: { name: "", privateProfile: "true" },
      problems: { name: "The name must not be empty." },
    });
    const email = await saveEmail(NEW, formOf({ email: "nothing", current_password: PASSWORD }));
    expect(email).toMatchObject({ typed: { email: "nothing" }, problems: { email: expect.any(String) } });
    const password = {
      password: "a new password",
      password_again: "another one",
      current_password: PASSWORD,
    };
    expect(await savePassword({ ...NEW, revokesAccess: true }, formOf(password))).toEqual({
      typed: {},
      revokesAccess: false,
      problems: { again: expect.any(String) },
    });
    const saved = saveProfile(NEW, formOf({ name: "Ann <Ng>" }));
    await expect(saved).rejects.toMatchObject(leadsTo("/user_settings/profile"));
    const html = await shown(ProfilePage());
    expect(html).toContain('value="Ann &lt;Ng&gt;"');
    expect(html).toContain("@ann");
  });
});
