import { POST as postLink, GET as showLink } from "@app/users/link_account/route.ts";
import { describe, expect, it } from "vitest";
import { encoded, type Fields, formPost, ORIGIN, PASSWORD, signedInUser } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import {
  finishProviderRequest,
  responseOf,
  signInAt,
  startProviderRequest,
} from "@/testing/identity-provider.ts";
import { openProviderSignIn } from "@/testing/provider-sign-in.ts";
import { cookieIn, enrolledApp, sessionIn } from "@/testing/second-factor.ts";
import { linkedAccountsOf, unlinkIdentity } from "../linked-identities/service.ts";
import { sessionCsrfToken, sessionOf } from "../sessions/service.ts";
import { CONFIRM } from "../sign-in/confirm-form.ts";
import { changePassword } from "../users/profile.ts";
import { LINK_ACCOUNT } from "./link-page.tsx";

const { deps, provider, profile, use, locationOf, userOf, eventsOf, nameAtProvider } =
  await openProviderSignIn();

describe("an account that the signed-in user links", () => {
  const csrf = async (cookie: string, purpose: string) => {
    const session = await sessionOf(deps, cookie);
    return session === null ? "" : sessionCsrfToken(deps, session, purpose);
  };
  const link = async (cookie: string, changes: Fields = {}) =>
    startProviderRequest(
      "corp",
      {
        intent: "link",
        form_token: await csrf(cookie, LINK_ACCOUNT),
        return_to: "/user_settings/profile",
        ...changes,
      },
      cookie,
    );
  const confirmLink = async (cookie: string, linkCookie: string, changes: Fields = {}) =>
    postLink(
      formPost(
        "/users/link_account",
        encoded({ decision: "link", form_token: await csrf(cookie, LINK_ACCOUNT), ...changes }),
        { cookie: `${cookie}; ${linkCookie}` },
      ),
    );
  const proposed = async (cookie: string) => {
    const providerRequest = await link(cookie);
    const response = await finishProviderRequest(
      "corp",
      await responseOf(provider, providerRequest),
      providerRequest.cookie,
    );
    return { response, linkCookie: cookieIn(response, "gatehouse_provider_link") };
  };

  it(
    conformance(
      "SP-07",
      "an account at a provider is linked only after the user submits the confirmation page",
    ),
    async () => {
      const { user, cookie } = await signedInUser(deps, nameAtProvider());
      const { response, linkCookie } = await proposed(cookie);
      expect(locationOf(response)).toBe("/users/link_account");
      const page = await showLink(
        new Request(`${ORIGIN}/users/link_account`, { headers: { cookie: `${cookie}; ${linkCookie}` } }),
      );
      expect(await page.text()).toContain(`${nameAtProvider()}@corp.example`);
      expect(await linkedAccountsOf(deps, user.id)).toEqual([]);
      await confirmLink(cookie, linkCookie, { decision: "cancel" });
      expect((await confirmLink(cookie, linkCookie, { form_token: "wrong" })).status).toBe(403);
      expect(await linkedAccountsOf(deps, user.id)).toEqual([]);
      expect(locationOf(await confirmLink(cookie, linkCookie))).toBe("/user_settings/profile");
      expect(await linkedAccountsOf(deps, user.id)).toMatchObject([
        { provider: "corp", account: `${nameAtProvider()}@corp.example` },
      ]);
      expect((await userOf(await signInAt(provider)))?.id).toBe(user.id);
      // An account at a provider is linked to only one user, even if an administrator tries to link it to a
      // second user.
      const other = await signedInUser(deps, `${nameAtProvider()}b`);
      await deps.db.user.update({ where: { id: other.user.id }, data: { admin: true } });
      await confirmLink(other.cookie, (await proposed(other.cookie)).linkCookie);
      expect(await linkedAccountsOf(deps, other.user.id)).toEqual([]);
      provider.behavior.user = { ...profile(), sub: `second ${nameAtProvider()}` };
      await confirmLink(other.cookie, (await proposed(other.cookie)).linkCookie);
      expect(await linkedAccountsOf(deps, other.user.id)).toHaveLength(1);
      await confirmLink(cookie, (await proposed(cookie)).linkCookie);
      expect(await linkedAccountsOf(deps, user.id)).toHaveLength(1);
    },
  );

  it(
    conformance(
      "SP-07",
      "an account at a provider cannot be linked from another session, without the CSRF token, or more than ten minutes after the last authentication",
    ),
    async () => {
      const { user, cookie } = await signedInUser(deps, nameAtProvider());
      const other = await signedInUser(deps, `${nameAtProvider()}b`);
      const { linkCookie } = await proposed(cookie);
      await confirmLink(other.cookie, linkCookie);
      expect(await linkedAccountsOf(deps, other.user.id)).toEqual([]);
      const providerRequest = await link(cookie);
      const browser = providerRequest.cookie.split("; ")[0];
      const stolen = await finishProviderRequest(
        "corp",
        await responseOf(provider, providerRequest),
        `${browser}; ${other.cookie}`,
      );
      expect([cookieIn(stolen, "gatehouse_provider_link"), sessionIn(stolen)]).toEqual(["", ""]);
      expect((await link(cookie, { form_token: "wrong" })).response.status).toBe(403);
      deps.advance(11 * 60);
      expect(locationOf((await link(cookie)).response)).toContain("/users/confirm?");
      expect(locationOf(await confirmLink(cookie, linkCookie))).toContain("/users/confirm?");
      expect(await linkedAccountsOf(deps, user.id)).toEqual([]);
    },
  );

  it(
    conformance(
      "SP-07",
      "a provider account is linked only if its verified e-mail address has an allowed domain, or an enforced domain if the user is in an enforced domain",
    ),
    async () => {
      const { user, cookie } = await signedInUser(deps, nameAtProvider());
      const isProposed = async (changes: object) => {
        provider.behavior.user = { ...profile(), ...changes };
        return (await proposed(cookie)).linkCookie !== "";
      };
      use({ allowedDomains: ["corp.example"] });
      expect(await isProposed({ email: `${nameAtProvider()}@evil.example` })).toBe(false);
      expect(await isProposed({ email_verified: false })).toBe(false);
      expect(await isProposed({ email: undefined })).toBe(false);
      expect(await eventsOf(user.id)).toContain("provider_sign_in.refused");
      expect(await isProposed({})).toBe(true);
      use({ enforcedDomains: ["example.com"] });
      expect(await isProposed({})).toBe(false);
      expect(await isProposed({ email: user.email, email_verified: false })).toBe(false);
      expect(await isProposed({ email: user.email })).toBe(true);
    },
  );

  it("an account at a provider cannot be unlinked while it is the user's only way to sign in", async () => {
    const user = await userOf(await signInAt(provider));
    if (user === null) throw new Error("The user is not signed in.");
    const [account] = await linkedAccountsOf(deps, user.id);
    expect(await unlinkIdentity(deps, user, account?.id ?? 0)).toBe("only_way");
    const cookie = sessionIn(await signInAt(provider));
    const session = await sessionOf(deps, cookie);
    if (session === null) throw new Error("The session is not live.");
    const other = await signedInUser(deps, `${nameAtProvider()}b`);
    expect(await unlinkIdentity(deps, other.user, account?.id ?? 0)).toBeNull();
    const passwords = {
      password: PASSWORD,
      again: PASSWORD,
      revokesAccess: false,
      currentPassword: "",
      ipAddress: "::1",
    };
    deps.advance(11 * 60);
    expect(await changePassword(deps, session, passwords)).toHaveProperty("currentPassword");
    deps.advance(-11 * 60);
    expect(await changePassword(deps, session, passwords)).toEqual({});
    expect(await unlinkIdentity(deps, user, account?.id ?? 0)).toMatchObject({ provider: "corp" });
    expect(await eventsOf(user.id)).toContain("identity.unlinked");
    expect(locationOf(await signInAt(provider))).toContain("problem=account_exists");
  });

  it("a user can re-authenticate with a linked account, unless the user has a second factor or the provider did not require a new sign-in", async () => {
    const response = await signInAt(provider);
    const cookie = sessionIn(response);
    const user = await userOf(response);
    const confirm = async () => {
      const fields = { intent: "confirm", form_token: await csrf(cookie, CONFIRM) };
      const providerRequest = await startProviderRequest("corp", fields, cookie);
      if (providerRequest.url.pathname === "/none") return providerRequest.response;
      expect(Object.fromEntries(providerRequest.url.searchParams)).toMatchObject({
        prompt: "login",
        max_age: "0",
      });
      return finishProviderRequest(
        "corp",
        await responseOf(provider, providerRequest),
        providerRequest.cookie,
      );
    };
    const signedInAt = async () => (await sessionOf(deps, cookie))?.signedInAt.getTime();
    deps.advance(3_600);
    const before = await signedInAt();
    provider.behavior.idToken = { auth_time: Math.floor(deps.clock().getTime() / 1000) - 3_600 };
    expect(locationOf(await confirm())).toContain("/users/confirm?problem=not_recent&provider=corp");
    provider.behavior.idToken = { sub: "another person" };
    expect(locationOf(await confirm())).toContain("problem=not_linked");
    expect(await signedInAt()).toBe(before);
    expect((await sessionOf(deps, cookie))?.isConfirmed).toBe(false);
    provider.behavior.idToken = {};
    expect(locationOf(await confirm())).toBe("/back");
    expect((await sessionOf(deps, cookie))?.isConfirmed).toBe(true);
    provider.behavior.idToken = { auth_time: Math.floor(deps.clock().getTime() / 1000) };
    expect(locationOf(await confirm())).toBe("/back");
    expect(await signedInAt()).toBe(deps.clock().getTime());
    expect((await sessionOf(deps, cookie))?.methods).toEqual(["dated_provider"]);
    if (user !== null) await enrolledApp(deps, user);
    expect(locationOf(await confirm())).toContain("/users/confirm?");
  });
});
