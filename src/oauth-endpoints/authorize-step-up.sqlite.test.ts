import { beforeEach, describe, expect, it } from "vitest";
import { sessionCsrfToken, sessionOf } from "@/identity/sessions/service.ts";
import { requestOptions } from "@/identity/two-factor/passkey.ts";
import { changeSettings } from "@/instance/settings/service.ts";
import {
  authorizationQuery,
  authorize,
  type Client,
  decide,
  encoded,
  type Fields,
  ORIGIN,
  PASSWORD,
  reauthenticate,
  redirectParameters,
  registeredClient,
  type SignedInUser,
  signedInCookie,
  signedInUser,
} from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import {
  codesFor,
  enterUserCode,
  openDevicePage,
  submitDecision,
  switchDeviceGrant,
} from "@/testing/device.ts";
import { addedPasskey, enrolledApp, postForm } from "@/testing/second-factor.ts";

const deps = await openTestDeps();
const SCOPES = ["api", "read_user", "write_repository"];

let ann: SignedInUser;
let client: Client;
let users = 0;

beforeEach(async () => {
  users += 1;
  deps.advance(3_600);
  await changeSettings(deps, { require_two_factor_authentication: "false", two_factor_grace_period: "48" });
  ann = await signedInUser(deps, `ann${users}`);
  client = await registeredClient(deps, ann.user, { scopes: SCOPES });
});

const redirectUrlOf = (response: Response) => new URL(response.headers.get("location") ?? "", ORIGIN);
const allow = (query: Fields) => decide(deps, ann, query);
const isConfirmed = (response: Response) => redirectUrlOf(response).pathname === "/users/confirm";

/** Posts the form of the re-authentication page with the given fields. */
async function confirm(fields: Fields, cookie = ann.cookie): Promise<Response> {
  const session = await sessionOf(deps, cookie);
  const form_token = session === null ? "" : sessionCsrfToken(deps, session, "confirm");
  return postForm({ intent: "confirm", form_token, return_to: "/back", ...fields }, cookie);
}

describe("granting scopes with write or full access", () => {
  it("a user who grants scopes with write or full access must have authenticated recently; after a re-authentication, the authorization request continues", async () => {
    const query = authorizationQuery(client, { scope: "api read_user", state: "a&b=c" });
    deps.advance(901);
    const redirect = await allow(query);
    expect(redirectUrlOf(redirect).pathname).toBe("/users/confirm");
    const back = new URL(redirectUrlOf(redirect).searchParams.get("return_to") ?? "", ORIGIN);
    expect(back.pathname).toBe("/oauth/authorize");
    expect(Object.fromEntries(back.searchParams)).toEqual(
      Object.fromEntries(new URLSearchParams(encoded(query))),
    );
    expect(await deps.db.consent.count({ where: { userId: ann.user.id } })).toBe(0);
    expect((await reauthenticate(deps, ann)).headers.get("location")).toBe(`${ORIGIN}/proved`);
    expect(redirectParameters(await allow(query))).toMatchObject({ state: "a&b=c" });
  });

  it.each<[string, number, boolean, string, boolean]>([
    ["granting access to the whole account requires no re-authentication", 600, false, "api", false],
    ["granting access to the whole account requires re-authentication", 601, false, "api", true],
    [
      "granting write access requires no re-authentication of a user without a second factor",
      10_000,
      false,
      "write_repository",
      false,
    ],
    [
      "granting write access requires re-authentication of a user with a second factor",
      601,
      true,
      "write_repository",
      true,
    ],
    ["granting read access requires no re-authentication", 10_000, true, "read_user", false],
  ])("%s, %i seconds after the sign-in", async (_what, seconds, twoFactor, scope, confirmed) => {
    if (twoFactor) await enrolledApp(deps, ann.user);
    deps.advance(seconds);
    expect(isConfirmed(await allow(authorizationQuery(client, { scope })))).toBe(confirmed);
  });

  it("the authorization endpoint requires no re-authentication if the user denies access, if consent exists, or if the application is trusted", async () => {
    const query = authorizationQuery(client, { scope: "api" });
    const trusted = await registeredClient(deps, ann.user, { scopes: SCOPES }, true);
    redirectParameters(await allow(query));
    deps.advance(10_000);
    expect(redirectParameters(await authorize(query, ann))).toHaveProperty("code");
    expect(
      redirectParameters(await authorize(authorizationQuery(trusted, { scope: "api" }), ann)),
    ).toHaveProperty("code");
    const other = await registeredClient(deps, ann.user, { scopes: SCOPES });
    const denied = await decide(deps, ann, authorizationQuery(other, { scope: "api" }), { decision: "deny" });
    expect(redirectParameters(denied)).toMatchObject({ error: "access_denied" });
  });

  it("the page for allowing a device requires re-authentication, which must be repeated if the page was open for too long", async () => {
    await switchDeviceGrant(deps, true);
    await changeSettings(deps, { device_code_expires_in: "1800" });
    const device = await registeredClient(deps, ann.user, { confidential: false, scopes: SCOPES });
    deps.advance(901);
    ann = { ...ann, cookie: await signedInCookie(ann.user.username) };
    const { userCode } = await codesFor(device, { scope: "api" });
    const card = await enterUserCode(ann, userCode);
    expect(card.status).toBe(200);
    deps.advance(901);
    const outcome = await submitDecision(ann, card, "allow");
    expect(outcome.status).toBe(303);
    const location = new URL(outcome.headers.get("location") ?? "");
    expect(location.pathname).toBe("/users/confirm");
    expect(location.searchParams.get("return_to")).toBe(`/oauth/device?user_code=${userCode}`);
    expect((await enterUserCode(ann, userCode)).status).toBe(303);
    await reauthenticate(deps, ann);
    const again = await submitDecision(ann, await enterUserCode(ann, userCode), "allow");
    expect(again.status).toBe(200);
  });
});

describe("re-authentication", () => {
  it("re-authentication requires the second factor of a user who has one, and rejects the password alone", async () => {
    const app = await enrolledApp(deps, ann.user);
    deps.advance(60);
    const problem = async (fields: Fields) =>
      redirectUrlOf(await confirm(fields)).searchParams.get("problem");
    expect(await problem({ password: PASSWORD })).toBe("wrong");
    expect(await problem({ code: "000000" })).toBe("wrong");
    expect((await sessionOf(deps, ann.cookie))?.signedInAt).not.toEqual(deps.clock());
    expect((await confirm({ code: app.code() })).headers.get("location")).toBe(`${ORIGIN}/back`);
    expect((await sessionOf(deps, ann.cookie))?.signedInAt).toEqual(deps.clock());
    expect(await problem({ code: app.code() })).toBe("wrong");
  });

  it("re-authentication accepts the response of a passkey only in the session that requested the response", async () => {
    const passkey = await addedPasskey(deps, ann.user);
    const session = await sessionOf(deps, ann.cookie);
    const other = await sessionOf(deps, await signedInCookieOfOther());
    const answerFor = async (purpose: string) => passkey.get(await requestOptions(deps, purpose, ann.user));
    const problem = async (credential: string) =>
      redirectUrlOf(await confirm({ credential })).searchParams.get("problem");
    expect(await problem(await answerFor(`confirm ${other?.id}`))).toBe("expired");
    expect(await problem(await answerFor("sign_in"))).toBe("expired");
    expect(await problem(await answerFor(`confirm ${session?.id}`))).toBeNull();
  });

  const signedInCookieOfOther = async () => (await signedInUser(deps, `bob${users}`)).cookie;

  it("re-authentication accepts the password of a user without a second factor, and is refused after too many wrong passwords", async () => {
    expect(redirectUrlOf(await confirm({ password: "not it" })).searchParams.get("problem")).toBe("wrong");
    for (let guess = 0; guess < 9; guess++) await confirm({ password: "not it" });
    expect(redirectUrlOf(await confirm({ password: PASSWORD })).searchParams.get("problem")).toBe("limit");
  });

  it("re-authentication is refused if the form comes from another site or has no CSRF token, or if the user has no session", async () => {
    for (const form_token of ["", "x"])
      expect((await confirm({ form_token, password: PASSWORD })).status).toBe(403);
    expect(redirectUrlOf(await confirm({ password: PASSWORD }, "")).pathname).toBe("/users/sign_in");
    expect((await confirm({ password: PASSWORD, return_to: "//evil.example" })).headers.get("location")).toBe(
      `${ORIGIN}/`,
    );
  });
});

describe("an instance that requires a second factor", () => {
  const requireTwoFactor = (hours: string) =>
    changeSettings(deps, { require_two_factor_authentication: "true", two_factor_grace_period: hours });
  const enrolls = (response: Response) => {
    const redirect = redirectUrlOf(response);
    return redirect.pathname === "/user_settings/two_factor" ? redirect.searchParams.get("return_to") : null;
  };
  const signIn = () => postForm({ login: ann.user.username, password: PASSWORD, return_to: "/back" });
  const query = () => authorizationQuery(client);

  it("an instance that requires a second factor redirects users to the setup page after each sign-in and, after the grace period, before consent", async () => {
    await requireTwoFactor("48");
    expect(enrolls(await signIn())).toBe("/back");
    expect(enrolls(await authorize(query(), ann))).toBe(`/oauth/authorize?${encoded(query())}`);
    const twoFactorAskedAt = deps.clock();
    await deps.db.user.update({ where: { id: ann.user.id }, data: { twoFactorAskedAt } });
    expect(redirectUrlOf(await authorize(query(), ann)).pathname).toBe("/oauth/consent");
    deps.advance(48 * 3_600 - 1);
    expect(enrolls(await signIn())).toBe("/back");
    expect(redirectUrlOf(await authorize(query(), ann)).pathname).toBe("/oauth/consent");
    deps.advance(1);
    expect(enrolls(await authorize(query(), ann))).toContain("/oauth/authorize?");
    expect(enrolls(await allow(query()))).toContain("/oauth/authorize?");
    expect(await deps.db.consent.count({ where: { userId: ann.user.id } })).toBe(0);
  });

  it("an instance that requires a second factor returns login_required for prompt=none, and still shows errors of invalid requests", async () => {
    redirectParameters(await allow(query()));
    await requireTwoFactor("0");
    const silent = await authorize({ ...query(), prompt: "none" }, ann);
    expect(redirectParameters(silent)).toMatchObject({ error: "login_required", state: "xyz" });
    expect(enrolls(await authorize(query(), ann))).not.toBeNull();
    expect((await authorize({ ...query(), redirect_uri: "https://evil.example/" }, ann)).status).toBe(400);
    const denied = await decide(deps, ann, { ...query(), scope: "api" }, { decision: "deny" });
    expect(redirectParameters(denied)).toMatchObject({ error: "access_denied" });
  });

  it("an instance that requires a second factor redirects users to the setup page before they enter the user code of a device", async () => {
    await switchDeviceGrant(deps, true);
    await requireTwoFactor("0");
    const page = await openDevicePage(ann, "?user_code=BCDF-GHJK");
    expect(page.status).toBe(303);
    expect(page.headers.get("location")).toBe(
      `${ORIGIN}/user_settings/two_factor?return_to=%2Foauth%2Fdevice%3Fuser_code%3DBCDF-GHJK`,
    );
  });

  it("an instance that requires a second factor does not redirect users who have a second factor to the setup page", async () => {
    await enrolledApp(deps, ann.user);
    await requireTwoFactor("0");
    expect(redirectUrlOf(await authorize(query(), ann)).pathname).toBe("/oauth/consent");
    expect(redirectParameters(await allow(query()))).toHaveProperty("code");
  });
});
