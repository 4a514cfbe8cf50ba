import * as currentUserRoute from "@app/api/v4/user/route.ts";
import * as userRoute from "@app/api/v4/users/[id]/route.ts";
import * as usersRoute from "@app/api/v4/users/route.ts";
import { POST as postLink, GET as showLink } from "@app/users/link_account/route.ts";
import { POST as postPassword } from "@app/users/password/route.ts";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { contentOf, listMessages } from "@/instance/mail/service.ts";
import { changeSettings, readSettings } from "@/instance/settings/service.ts";
import type { ConfiguredProvider } from "@/kernel/config/identity-providers.ts";
import { createPersonalToken } from "@/oauth/personal-access-tokens/service.ts";
import { apiUser, callApi, tokenWith } from "@/testing/api.ts";
import { encoded, type Fields, formPost, ORIGIN, PASSWORD, signedInUser } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import {
  finishProviderRequest,
  openProvider,
  responseOf,
  signInAt,
  startProviderRequest,
  useProviders,
} from "@/testing/identity-provider.ts";
import { addedPasskey, cookieIn, enrolledApp, postForm, sessionIn } from "@/testing/second-factor.ts";
import { createGroup } from "@/workspace/groups/service.ts";
import { linkedAccountsOf, removeProvider, unlinkIdentity } from "../linked-identities/service.ts";
import { findProvider } from "../providers/service.ts";
import { sessionCsrfToken, sessionOf } from "../sessions/service.ts";
import { CONFIRM } from "../sign-in/confirm-form.ts";
import { createUserAsAdministrator } from "../users/administration.ts";
import { requestEmailChange, storePendingEmail } from "../users/email-change.ts";
import { confirmEmailByLink, resendConfirmationLink } from "../users/email-confirmation.ts";
import { tryPassword } from "../users/password-attempt.ts";
import { changePassword } from "../users/profile.ts";
import { LINK_ACCOUNT } from "./link-page.tsx";

const deps = await openTestDeps();
const mail = { url: "smtp://127.0.0.1:1", from: { name: "Gatehouse", address: "id@example.com" } };
Object.assign(deps, { config: { ...deps.config, mail } });
const provider = await openProvider(() => deps.clock());
afterAll(() => provider.close());

let users = 0;
/** The name of the user at the provider, which differs in each test. */
let name: string;

beforeEach(async () => {
  provider.reset();
  deps.advance(600);
  users += 1;
  name = `zoe${users}`;
  provider.behavior.user = profile();
  use();
  await deps.db.mailMessage.deleteMany();
});

const profile = () => ({
  sub: `sub ${name}`,
  email: `${name}@corp.example`,
  email_verified: true,
  name: `Zoe ${users}`,
  preferred_username: name,
});
const use = (changes: Partial<ConfiguredProvider> = {}) => useProviders(deps, [provider.settings(changes)]);
const locationOf = (response: Response): string =>
  (response.headers.get("location") ?? "").replace(ORIGIN, "");
const userOf = async (response: Response) => (await sessionOf(deps, sessionIn(response)))?.user ?? null;
const eventsOf = async (userId: number) =>
  (await deps.db.auditEvent.findMany({ where: { userId }, orderBy: { id: "asc" } })).map(
    (event) => event.name,
  );
const row = (username: string) => deps.db.user.findUniqueOrThrow({ where: { usernameLower: username } });

describe("a user without an account", () => {
  it("gets an account without a password, with the verified e-mail address, and signs in again to the same account", async () => {
    const response = await signInAt(provider);
    expect(locationOf(response)).toBe("/back");
    const user = await userOf(response);
    expect(user).toMatchObject({
      username: name,
      name: `Zoe ${users}`,
      email: `${name}@corp.example`,
      emailVerified: true,
      admin: false,
    });
    expect(await eventsOf(user?.id ?? 0)).toEqual([
      "user.registered",
      "identity.linked",
      "provider_sign_in.verified",
      "sign_in.succeeded",
    ]);
    // The e-mail address and the names at the provider may change: the subject identifies the user.
    provider.behavior.user = { ...profile(), email: "other@corp.example", preferred_username: "other" };
    expect((await userOf(await signInAt(provider)))?.id).toBe(user?.id);
    for (const password of ["", "!", PASSWORD])
      expect(sessionIn(await postForm({ login: name, password }))).toBe("");
  });

  it("gets an available username if the name at the provider is taken, is reserved or contains invalid characters", async () => {
    await signedInUser(deps, name);
    for (const [preferred_username, expected] of [
      [name.toUpperCase(), `${name.toUpperCase()}-2`],
      [name, `${name}-3`],
      ["admin", /^admin-2$|^user$/],
      ["Jürgen Groß@corp", /^Jurgen-Gro$/],
    ] as const) {
      const sub = `${name} ${preferred_username}`;
      provider.behavior.user = { ...profile(), sub, preferred_username, email: undefined };
      const user = await userOf(await signInAt(provider));
      expect(user?.username).toMatch(expected instanceof RegExp ? expected : new RegExp(`^${expected}$`));
      expect(user?.emailVerified).toBe(false);
    }
  });

  it("gets one account from simultaneous sign-ins", async () => {
    const providerRequests = await Promise.all([
      startProviderRequest("corp"),
      startProviderRequest("corp"),
      startProviderRequest("corp"),
    ]);
    const responses = await Promise.all(
      providerRequests.map(async (providerRequest) =>
        finishProviderRequest("corp", await responseOf(provider, providerRequest), providerRequest.cookie),
      ),
    );
    const ids = await Promise.all(responses.map(async (response) => (await userOf(response))?.id));
    expect(new Set(ids).size).toBe(1);
    expect(await deps.db.linkedIdentity.count({ where: { subject: `sub ${name}` } })).toBe(1);
  });

  it("is refused unless the provider creates accounts, and is refused with an e-mail address of another domain", async () => {
    use({ createsAccounts: false });
    expect(locationOf(await signInAt(provider))).toContain("problem=no_account");
    use({ allowedDomains: ["other.example"] });
    expect(locationOf(await signInAt(provider))).toContain("problem=domain");
    use({ allowedDomains: ["corp.example"] });
    for (const user of [
      { ...profile(), email_verified: false },
      { ...profile(), email_verified: undefined },
      { ...profile(), email: "zoe@evil.example" },
      { ...profile(), email: "zoe@corp.example@evil.example" },
      { ...profile(), email: undefined },
    ]) {
      provider.behavior.user = user;
      expect(locationOf(await signInAt(provider))).toContain("problem=domain");
    }
    provider.behavior.user = { ...profile(), email: `${name}@CORP.example` };
    expect(await userOf(await signInAt(provider))).not.toBeNull();
  });

  it("waits for the approval of an administrator if registrations need it", async () => {
    await changeSettings(deps, { require_admin_approval_after_user_signup: "true" });
    for (let count = 0; count < 2; count++) {
      const response = await signInAt(provider);
      expect([locationOf(response), sessionIn(response)]).toEqual([
        "/users/sign_in?problem=unapproved&return_to=%2Fback&again=1",
        "",
      ]);
    }
    await changeSettings(deps, { require_admin_approval_after_user_signup: "false" });
    await deps.db.user.update({ where: { usernameLower: name }, data: { state: "deactivated" } });
    expect(await userOf(await signInAt(provider))).toMatchObject({ username: name, state: "active" });
  });

  it("has a pending e-mail address if the provider has not verified it", async () => {
    await signedInUser(deps, `${name}x`);
    provider.behavior.user = { ...profile(), email: `${name}x@example.com`, email_verified: false };
    const user = await userOf(await signInAt(provider));
    expect([user?.username, user?.emailVerified]).toEqual([name, false]);
    expect((await row(name)).pendingEmail).toBe(`${name}x@example.com`);
    expect((await listMessages(deps)).map(({ recipient }) => recipient)).toEqual([`${name}x@example.com`]);
  });
});

describe("an existing account with the same e-mail address", () => {
  const existing = async () => {
    const { user } = await signedInUser(deps, name);
    provider.behavior.user = { ...profile(), email: user.email };
    return user;
  };

  it(
    conformance("SP-06", "is not linked by default, and is never linked by an unverified e-mail address"),
    async () => {
      const user = await existing();
      expect(locationOf(await signInAt(provider))).toContain("problem=account_exists");
      use({ linksByEmail: true });
      provider.behavior.user = { ...profile(), email: user.email, email_verified: false };
      expect((await userOf(await signInAt(provider)))?.id).not.toBe(user.id);
      expect(await linkedAccountsOf(deps, user.id)).toEqual([]);
      expect(await eventsOf(user.id)).not.toContain("identity.linked");
    },
  );

  it(
    conformance(
      "SP-06",
      "is linked by its verified e-mail address if the administrator allows this, and its user gets a notice",
    ),
    async () => {
      const user = await existing();
      use({ linksByEmail: true, createsAccounts: false });
      expect((await userOf(await signInAt(provider)))?.id).toBe(user.id);
      expect(await eventsOf(user.id)).toContain("identity.linked");
      expect((await listMessages(deps)).map(({ kind }) => kind)).toContain("identity_linked");
    },
  );

  it(
    conformance(
      "SP-06",
      "is never linked by e-mail if it belongs to an administrator, is blocked, or is linked to another account",
    ),
    async () => {
      const user = await existing();
      use({ linksByEmail: true });
      await deps.db.user.update({ where: { id: user.id }, data: { admin: true } });
      expect(locationOf(await signInAt(provider))).toContain("problem=account_exists");
      await deps.db.user.update({ where: { id: user.id }, data: { admin: false, state: "blocked" } });
      expect(locationOf(await signInAt(provider))).toContain("problem=blocked");
      await deps.db.user.update({ where: { id: user.id }, data: { state: "active" } });
      expect((await userOf(await signInAt(provider)))?.id).toBe(user.id);
      // The provider gave the e-mail address to another person.
      provider.behavior.user = { ...profile(), sub: `next ${name}`, email: user.email };
      expect(locationOf(await signInAt(provider))).toContain("problem=account_exists");
    },
  );

  it(
    conformance(
      "SP-06",
      "is not linked by a similar e-mail address that contains, for example, the character U+212A",
    ),
    async () => {
      const { user } = await signedInUser(deps, `k${name}`);
      use({ linksByEmail: true });
      provider.behavior.user = { ...profile(), email: user.email.replace("k", "\u212a") };
      expect((await userOf(await signInAt(provider)))?.id).not.toBe(user.id);
      expect(await linkedAccountsOf(deps, user.id)).toEqual([]);
    },
  );

  it("is linked without the claim email_verified only if the administrator trusts the provider", async () => {
    const user = await existing();
    provider.behavior.user = { ...profile(), email: user.email, email_verified: undefined };
    use({ linksByEmail: true, createsAccounts: false });
    expect(locationOf(await signInAt(provider))).toContain("problem=no_account");
    use({ linksByEmail: true, createsAccounts: false, trustsEmails: true });
    provider.behavior.user = { ...profile(), email: user.email, email_verified: false };
    expect(locationOf(await signInAt(provider))).toContain("problem=no_account");
    provider.behavior.user = { ...profile(), email: user.email, email_verified: undefined };
    expect((await userOf(await signInAt(provider)))?.id).toBe(user.id);
  });
});

describe("a user of a provider", () => {
  it("who has a second factor must still enter the second factor", async () => {
    const user = await userOf(await signInAt(provider));
    if (user === null) throw new Error("The user is not signed in.");
    const app = await enrolledApp(deps, user);
    const response = await signInAt(provider);
    expect([locationOf(response), sessionIn(response)]).toEqual(["/users/two_factor?return_to=%2Fback", ""]);
    const cookie = cookieIn(response, "gatehouse_pending_sign_in");
    const fields = { intent: "second_factor", way: "app", return_to: "/back" };
    expect((await userOf(await postForm({ ...fields, code: app.code() }, cookie)))?.id).toBe(user.id);
  });

  it("who is blocked stays blocked, and a disabled or changed provider signs nobody in", async () => {
    const user = await userOf(await signInAt(provider));
    await deps.db.user.update({ where: { id: user?.id ?? 0 }, data: { state: "blocked" } });
    const response = await signInAt(provider);
    expect([locationOf(response).includes("problem=blocked"), sessionIn(response)]).toEqual([true, ""]);
    const providerRequest = await startProviderRequest("corp");
    const answer = await responseOf(provider, providerRequest);
    use({ issuer: "https://other.example" });
    expect(locationOf(await finishProviderRequest("corp", answer, providerRequest.cookie))).toContain(
      "problem=invalid",
    );
    useProviders(deps, []);
    expect((await finishProviderRequest("corp", answer, providerRequest.cookie)).status).toBe(404);
    expect((await startProviderRequest("corp")).response.status).toBe(404);
  });

  it("signs in through GitHub with the numeric id and the verified primary e-mail address", async () => {
    use({ kind: "github", trustsEmails: true });
    const emails = (verified: boolean) => [
      { email: `public-${name}@example.com`, primary: false, verified: true },
      { email: `${name}@corp.example`, primary: true, verified },
    ];
    provider.behavior.user = {
      id: 4_000 + users,
      login: name,
      name: null,
      email: `public-${name}@example.com`,
    };
    const sign = async (verified: boolean) => {
      provider.behavior.answers = { "/api/v3/user/emails": { body: JSON.stringify(emails(verified)) } };
      const providerRequest = await startProviderRequest("corp");
      const url = new URL(providerRequest.url.href.replace("/login/oauth/authorize", "/authorize"));
      expect(providerRequest.url.searchParams.get("code_challenge_method")).toBe("S256");
      return finishProviderRequest(
        "corp",
        await responseOf(provider, { ...providerRequest, url }),
        providerRequest.cookie,
      );
    };
    const user = await userOf(await sign(true));
    expect(user).toMatchObject({ username: name, email: `${name}@corp.example`, emailVerified: true });
    expect(await linkedAccountsOf(deps, user?.id ?? 0)).toMatchObject([{ account: `${name}@corp.example` }]);
    expect((await userOf(await sign(false)))?.id).toBe(user?.id);
  });
});

describe("the API", () => {
  it("shows the accounts at providers to the user and to administrators, and lets administrators search for users by these accounts", async () => {
    const zoe = await userOf(await signInAt(provider));
    if (zoe === null) throw new Error("The user did not sign in.");
    const identities = [{ provider: "corp", extern_uid: `sub ${name}`, saml_provider_id: null }];
    const admin = await apiUser(deps, `${name}admin`, { admin: true });
    const other = await apiUser(deps, `${name}other`);
    const own = await tokenWith(deps, zoe, ["api"]);
    expect((await callApi(currentUserRoute.GET, "GET", { token: own })).body).toMatchObject({ identities });
    const path = { id: String(zoe.id) };
    const shown = await callApi(userRoute.GET, "GET", { token: admin.token, path });
    expect(shown.body).toMatchObject({ identities });
    const hidden = await callApi(userRoute.GET, "GET", { token: other.token, path });
    expect(hidden.body).not.toHaveProperty("identities");
    const query = `?provider=corp&extern_uid=${encodeURIComponent(`sub ${name}`)}`;
    const listed = await callApi(usersRoute.GET, "GET", { token: admin.token, query });
    expect(listed.body).toMatchObject([{ id: zoe.id, identities }]);
    expect((await callApi(usersRoute.GET, "GET", { token: other.token, query })).body).toEqual([]);
    const unknown = { token: admin.token, query: "?provider=corp&extern_uid=none" };
    expect((await callApi(usersRoute.GET, "GET", unknown)).body).toEqual([]);
  });

  it("refuses to create a user in an enforced domain, unless the user is an administrator", async () => {
    use({ enforcedDomains: ["corp.example"] });
    const { user: by } = await signedInUser(deps, `${name}chief`);
    const wish = { username: `${name}n`, email: `${name}n@corp.example`, password: PASSWORD };
    expect(await createUserAsAdministrator(deps, by, wish)).toMatchObject({
      problems: { email: expect.stringContaining("sign in with") },
    });
    expect(await createUserAsAdministrator(deps, by, { ...wish, admin: true })).toHaveProperty("user");
  });
});

describe("the groups of a provider", () => {
  it("give and remove roles at each sign-in, and do not change other memberships", async () => {
    const { user: owner } = await signedInUser(deps, `${name}o`);
    const created = [];
    for (const path of ["dev", "ops", "own"]) {
      const draft = {
        name: path,
        path: `${name}-${path}`,
        description: "",
        visibility: "private" as const,
        parentId: null,
      };
      const outcome = await createGroup(deps, owner, draft);
      if (typeof outcome === "string" || "problems" in outcome) throw new Error(JSON.stringify(outcome));
      created.push(outcome.group);
    }
    use({
      groupsClaim: "groups",
      groupRules: [
        `staff = ${name}-dev : developer`,
        `cn=leads,dc=corp = ${name}-dev : maintainer`,
        `staff = ${name}-ops : reporter`,
        "staff = unknown/group : owner",
      ],
    });
    const roles = async (groups: unknown, more: object = {}) => {
      provider.behavior.user = { ...profile(), groups, ...more };
      const user = await userOf(await signInAt(provider));
      const rows = await deps.db.groupMember.findMany({
        where: { userId: user?.id ?? 0 },
        include: { group: true },
        orderBy: { groupId: "asc" },
      });
      return rows.map(({ group, role }) => `${group.path.replace(`${name}-`, "")} ${role}`);
    };
    expect(await roles(["staff", "cn=leads,dc=corp"])).toEqual(["dev 40", "ops 20"]);
    expect(await roles(["staff"])).toEqual(["dev 30", "ops 20"]);
    expect(await roles(undefined, { _claim_names: { groups: "src1" } })).toEqual(["dev 30", "ops 20"]);
    const { id } = await row(name);
    await deps.db.groupMember.updateMany({
      where: { userId: id, group: { path: `${name}-ops` } },
      data: { role: 50 },
    });
    expect(await roles("nothing")).toEqual(["ops 50"]);
    expect(await roles(["staff"])).toEqual(["dev 30", "ops 50"]);
    expect(await roles(undefined)).toEqual(["ops 50"]);
    expect(await roles(["staff"])).toEqual(["dev 30", "ops 50"]);
    const corp = await findProvider(deps, "corp");
    if (corp === null) throw new Error("There is no provider.");
    await removeProvider(deps, owner, corp);
    const memberships = await deps.db.groupMember.findMany({
      where: { userId: id },
      include: { group: true },
    });
    expect(memberships.map(({ group }) => group.path)).toEqual([`${name}-ops`]);
    expect(await roles(["staff"])).toEqual(["dev 30", "ops 50"]);
    // A role that is given without the linked account could not be removed by any sign-in.
    const password = { passwordDigest: (await row(`${name}o`)).passwordDigest };
    await deps.db.user.update({ where: { id }, data: password });
    const [account] = await linkedAccountsOf(deps, id);
    expect(await unlinkIdentity(deps, { ...owner, id, username: name }, account?.id ?? 0)).toHaveProperty(
      "id",
    );
    const left = await deps.db.groupMember.findMany({ where: { userId: id }, include: { group: true } });
    expect(left.map(({ group }) => group.path)).toEqual([`${name}-ops`]);
  });
});

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

  it(conformance("SP-07", "is linked only after the user submits the confirmation page"), async () => {
    const { user, cookie } = await signedInUser(deps, name);
    const { response, linkCookie } = await proposed(cookie);
    expect(locationOf(response)).toBe("/users/link_account");
    const page = await showLink(
      new Request(`${ORIGIN}/users/link_account`, { headers: { cookie: `${cookie}; ${linkCookie}` } }),
    );
    expect(await page.text()).toContain(`${name}@corp.example`);
    expect(await linkedAccountsOf(deps, user.id)).toEqual([]);
    await confirmLink(cookie, linkCookie, { decision: "cancel" });
    expect((await confirmLink(cookie, linkCookie, { form_token: "wrong" })).status).toBe(403);
    expect(await linkedAccountsOf(deps, user.id)).toEqual([]);
    expect(locationOf(await confirmLink(cookie, linkCookie))).toBe("/user_settings/profile");
    expect(await linkedAccountsOf(deps, user.id)).toMatchObject([
      { provider: "corp", account: `${name}@corp.example` },
    ]);
    expect((await userOf(await signInAt(provider)))?.id).toBe(user.id);
    // An account that an administrator links belongs to one user, like all other accounts.
    const other = await signedInUser(deps, `${name}b`);
    await deps.db.user.update({ where: { id: other.user.id }, data: { admin: true } });
    await confirmLink(other.cookie, (await proposed(other.cookie)).linkCookie);
    expect(await linkedAccountsOf(deps, other.user.id)).toEqual([]);
    provider.behavior.user = { ...profile(), sub: `second ${name}` };
    await confirmLink(other.cookie, (await proposed(other.cookie)).linkCookie);
    expect(await linkedAccountsOf(deps, other.user.id)).toHaveLength(1);
    await confirmLink(cookie, (await proposed(cookie)).linkCookie);
    expect(await linkedAccountsOf(deps, user.id)).toHaveLength(1);
  });

  it(
    conformance(
      "SP-07",
      "cannot be linked by another session, twice, without the CSRF token, or long after the last authentication",
    ),
    async () => {
      const { user, cookie } = await signedInUser(deps, name);
      const other = await signedInUser(deps, `${name}b`);
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
      "is refused unless its verified e-mail address has an allowed domain and, where required, an enforced domain",
    ),
    async () => {
      const { user, cookie } = await signedInUser(deps, name);
      const isProposed = async (changes: object) => {
        provider.behavior.user = { ...profile(), ...changes };
        return (await proposed(cookie)).linkCookie !== "";
      };
      use({ allowedDomains: ["corp.example"] });
      expect(await isProposed({ email: `${name}@evil.example` })).toBe(false);
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

  it("cannot be unlinked while it is the only way to sign in", async () => {
    const user = await userOf(await signInAt(provider));
    if (user === null) throw new Error("The user is not signed in.");
    const [account] = await linkedAccountsOf(deps, user.id);
    expect(await unlinkIdentity(deps, user, account?.id ?? 0)).toBe("only_way");
    const cookie = sessionIn(await signInAt(provider));
    const session = await sessionOf(deps, cookie);
    if (session === null) throw new Error("The session is not live.");
    const other = await signedInUser(deps, `${name}b`);
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

  it("re-authenticates its user, unless the user has a second factor, or the provider did not require a new sign-in", async () => {
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
    provider.behavior.idToken = { auth_time: Math.floor(deps.clock().getTime() / 1000) };
    expect(locationOf(await confirm())).toBe("/back");
    expect(await signedInAt()).toBe(deps.clock().getTime());
    expect((await sessionOf(deps, cookie))?.methods).toEqual(["dated_provider"]);
    if (user !== null) await enrolledApp(deps, user);
    expect(locationOf(await confirm())).toContain("/users/confirm?");
  });
});

describe("a provider that is enforced for a domain", () => {
  const enforce = () => use({ enforcedDomains: ["example.com"], linksByEmail: true });

  it(
    conformance(
      "SP-08",
      "refuses the passwords of users in the domain with a message that names the provider, whether or not the user exists",
    ),
    async () => {
      const { user } = await signedInUser(deps, name);
      enforce();
      const refused = "/users/sign_in?problem=enforced&provider=corp&return_to=%2F";
      for (const fields of [
        { login: name, password: PASSWORD },
        { login: user.email, password: PASSWORD },
        { login: user.email.toUpperCase(), password: "wrong horse battery" },
        { login: `nobody-${name}@example.com`, password: PASSWORD },
      ]) {
        const response = await postForm(fields);
        expect([locationOf(response), sessionIn(response)]).toEqual([refused, ""]);
      }
      expect(locationOf(await postForm({ login: name, password: "wrong horse" }))).toContain("problem=wrong");
      provider.behavior.user = { ...profile(), email: user.email };
      expect((await userOf(await signInAt(provider)))?.id).toBe(user.id);
      const [account] = await linkedAccountsOf(deps, user.id);
      expect(await unlinkIdentity(deps, user, account?.id ?? 0)).toBe("only_way");
    },
  );

  it(
    conformance(
      "SP-08",
      "refuses passkeys, Git passwords, password resets, registrations and other providers, and keeps personal access tokens",
    ),
    async () => {
      const { user, cookie } = await signedInUser(deps, name);
      const token = await createPersonalToken(deps, user, { name: "t", scopes: ["api"], expiresAt: null });
      if ("problems" in token) throw new Error("The token was not created.");
      const authenticator = await addedPasskey(deps, user);
      enforce();
      const { requestOptions } = await import("../two-factor/passkey.ts");
      const credential = authenticator.get(await requestOptions(deps, "sign_in", null));
      expect(locationOf(await postForm({ intent: "passkey", credential }))).toContain(
        "problem=enforced&provider=corp",
      );
      const attempt = { login: name, password: PASSWORD, ipAddress: "::1", way: "grant" } as const;
      expect(await tryPassword(deps, await readSettings(deps), attempt)).toEqual({ refused: "wrong" });
      const reset = await postPassword(formPost("/users/password", encoded({ email: user.email })));
      expect(locationOf(reset)).toContain("problem=enforced&provider=corp");
      expect(
        (await listMessages(deps)).filter(
          ({ kind, recipient }) => kind === "password_reset" && recipient !== "",
        ),
      ).toEqual([]);
      const session = await sessionOf(deps, cookie);
      if (session === null) throw new Error("The session is not live.");
      const change = { email: "me@private.example", currentPassword: PASSWORD, ipAddress: "::1" };
      expect(await requestEmailChange(deps, session, change)).toHaveProperty("email");
      useProviders(deps, [
        provider.settings({ enforcedDomains: ["example.com"], linksByEmail: true }),
        provider.settings({ name: "other", linksByEmail: true }),
      ]);
      provider.behavior.user = { ...profile(), email: user.email };
      expect(locationOf(await signInAt(provider, { name: "other" }))).toContain("problem=other_provider");
      provider.behavior.user = { ...profile(), email: `new-${name}@example.com` };
      expect(locationOf(await signInAt(provider, { name: "other" }))).toContain("problem=other_provider");
      expect(await deps.db.personalAccessToken.count({ where: { userId: user.id, revokedAt: null } })).toBe(
        1,
      );
    },
  );

  it(
    conformance("SP-08", "keeps users in the domain: only an administrator changes their e-mail addresses"),
    async () => {
      const { user } = await signedInUser(deps, name);
      const { user: admin } = await signedInUser(deps, `${name}b`);
      const email = `${name}@private.example`;
      const pending = async () => (await row(name)).pendingEmail;
      expect(await storePendingEmail(deps, user, email)).toBeNull();
      const [message] = await listMessages(deps);
      const url = (message && contentOf(deps, message)?.action?.url) ?? "";
      const token = new URL(url).searchParams.get("confirmation_token") ?? "";
      enforce();
      expect(await confirmEmailByLink(deps, token)).toBe("invalid");
      expect(await resendConfirmationLink(deps, user)).toBe("off");
      expect(await storePendingEmail(deps, user, `other-${email}`)).toContain("administrator");
      expect(await pending()).toBe(email);
      await deps.db.mailMessage.deleteMany();
      expect(await storePendingEmail(deps, user, `other-${email}`, admin)).toBeNull();
      expect(await pending()).toBe(`other-${email}`);
      expect((await listMessages(deps)).map(({ kind }) => kind)).not.toContain("email_confirmation");
      use();
      expect(await confirmEmailByLink(deps, token)).toBe("invalid");
    },
  );

  it(conformance("SP-08", "does not lock administrators out"), async () => {
    const { user } = await signedInUser(deps, name);
    await deps.db.user.update({ where: { id: user.id }, data: { admin: true } });
    enforce();
    expect((await userOf(await postForm({ login: user.email, password: PASSWORD })))?.id).toBe(user.id);
    await postPassword(formPost("/users/password", encoded({ email: user.email })));
    expect((await listMessages(deps)).map(({ recipient }) => recipient)).toContain(user.email);
  });
});
