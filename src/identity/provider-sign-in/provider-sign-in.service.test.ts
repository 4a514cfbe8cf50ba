import * as currentUserRoute from "@app/api/v4/user/route.ts";
import * as userRoute from "@app/api/v4/users/[id]/route.ts";
import * as usersRoute from "@app/api/v4/users/route.ts";
import { describe, expect, it } from "vitest";
import { listMessages } from "@/instance/mail/service.ts";
import { changeSettings } from "@/instance/settings/service.ts";
import { apiUser, callApi, tokenWith } from "@/testing/api.ts";
import { PASSWORD, signedInUser } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import {
  finishProviderRequest,
  responseOf,
  signInAt,
  startProviderRequest,
  useProviders,
} from "@/testing/identity-provider.ts";
import { openProviderSignIn } from "@/testing/provider-sign-in.ts";
import { cookieIn, enrolledApp, postForm, sessionIn } from "@/testing/second-factor.ts";
import { createGroup } from "@/workspace/groups/service.ts";
import { linkedAccountsOf, removeProvider, unlinkIdentity } from "../linked-identities/service.ts";
import { findProvider } from "../providers/service.ts";
import { createUserAsAdministrator } from "../users/administration.ts";

const { deps, provider, profile, use, locationOf, userOf, eventsOf, row, nameAtProvider, userNumber } =
  await openProviderSignIn();

describe("a user without an account", () => {
  it("a user of a provider gets an account that has the verified e-mail address and no password, and later signs in to the same account", async () => {
    const response = await signInAt(provider);
    expect(locationOf(response)).toBe("/back");
    const user = await userOf(response);
    expect(user).toMatchObject({
      username: nameAtProvider(),
      name: `Zoe ${userNumber()}`,
      email: `${nameAtProvider()}@corp.example`,
      emailVerified: true,
      admin: false,
    });
    expect(await eventsOf(user?.id ?? 0)).toEqual([
      "user.registered",
      "identity.linked",
      "provider_sign_in.verified",
      "sign_in.succeeded",
    ]);
    // The e-mail address and the names at the provider may change, because only the subject identifies the
    // user.
    provider.behavior.user = { ...profile(), email: "other@corp.example", preferred_username: "other" };
    expect((await userOf(await signInAt(provider)))?.id).toBe(user?.id);
    for (const password of ["", "!", PASSWORD])
      expect(sessionIn(await postForm({ login: nameAtProvider(), password }))).toBe("");
  });

  it("a new user gets another username if the username at the provider is taken, is reserved or contains invalid characters", async () => {
    await signedInUser(deps, nameAtProvider());
    for (const [preferred_username, expected] of [
      [nameAtProvider().toUpperCase(), `${nameAtProvider().toUpperCase()}-2`],
      [nameAtProvider(), `${nameAtProvider()}-3`],
      ["admin", /^admin-2$|^user$/],
      ["Jürgen Groß@corp", /^Jurgen-Gro$/],
    ] as const) {
      const sub = `${nameAtProvider()} ${preferred_username}`;
      provider.behavior.user = { ...profile(), sub, preferred_username, email: undefined };
      const user = await userOf(await signInAt(provider));
      expect(user?.username).toMatch(expected instanceof RegExp ? expected : new RegExp(`^${expected}$`));
      expect(user?.emailVerified).toBe(false);
    }
  });

  it("simultaneous first sign-ins of a user create only one account", async () => {
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
    expect(await deps.db.linkedIdentity.count({ where: { subject: `sub ${nameAtProvider()}` } })).toBe(1);
  });

  it("a user without an account is refused if the provider does not create accounts, or if the verified e-mail address has no allowed domain", async () => {
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
    provider.behavior.user = { ...profile(), email: `${nameAtProvider()}@CORP.example` };
    expect(await userOf(await signInAt(provider))).not.toBeNull();
  });

  it("a new user waits for the approval of an administrator if registrations need an approval", async () => {
    await changeSettings(deps, { require_admin_approval_after_user_signup: "true" });
    for (let count = 0; count < 2; count++) {
      const response = await signInAt(provider);
      expect([locationOf(response), sessionIn(response)]).toEqual([
        "/users/sign_in?problem=unapproved&return_to=%2Fback&again=1",
        "",
      ]);
    }
    await changeSettings(deps, { require_admin_approval_after_user_signup: "false" });
    await deps.db.user.update({ where: { usernameLower: nameAtProvider() }, data: { state: "deactivated" } });
    expect(await userOf(await signInAt(provider))).toMatchObject({
      username: nameAtProvider(),
      state: "active",
    });
  });

  it("a new user has a pending e-mail address if the provider has not verified the e-mail address", async () => {
    await signedInUser(deps, `${nameAtProvider()}x`);
    provider.behavior.user = {
      ...profile(),
      email: `${nameAtProvider()}x@example.com`,
      email_verified: false,
    };
    const user = await userOf(await signInAt(provider));
    expect([user?.username, user?.emailVerified]).toEqual([nameAtProvider(), false]);
    expect((await row(nameAtProvider())).pendingEmail).toBe(`${nameAtProvider()}x@example.com`);
    expect((await listMessages(deps)).map(({ recipient }) => recipient)).toEqual([
      `${nameAtProvider()}x@example.com`,
    ]);
  });
});

describe("an existing account with the same e-mail address", () => {
  const existing = async () => {
    const { user } = await signedInUser(deps, nameAtProvider());
    provider.behavior.user = { ...profile(), email: user.email };
    return user;
  };

  it(
    conformance(
      "SP-06",
      "an existing account with the same e-mail address is not linked by default, and is never linked by an unverified e-mail address",
    ),
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
      "an existing account is linked by its verified e-mail address if the administrator allows such links, and the user gets a notice",
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
      "an existing account is never linked by e-mail address if its user is an administrator or blocked, or has linked another account",
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
      // The provider has assigned the e-mail address to another person.
      provider.behavior.user = { ...profile(), sub: `next ${nameAtProvider()}`, email: user.email };
      expect(locationOf(await signInAt(provider))).toContain("problem=account_exists");
    },
  );

  it(
    conformance(
      "SP-06",
      "an existing account is not linked by a similar e-mail address that contains, for example, the character U+212A",
    ),
    async () => {
      const { user } = await signedInUser(deps, `k${nameAtProvider()}`);
      use({ linksByEmail: true });
      provider.behavior.user = { ...profile(), email: user.email.replace("k", "\u212a") };
      expect((await userOf(await signInAt(provider)))?.id).not.toBe(user.id);
      expect(await linkedAccountsOf(deps, user.id)).toEqual([]);
    },
  );

  it("an existing account is linked without the claim email_verified only if the administrator trusts the e-mail addresses of the provider", async () => {
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
  it("a user who signs in with a provider and has a second factor must still enter the second factor", async () => {
    const user = await userOf(await signInAt(provider));
    if (user === null) throw new Error("The user is not signed in.");
    const app = await enrolledApp(deps, user);
    const response = await signInAt(provider);
    expect([locationOf(response), sessionIn(response)]).toEqual(["/users/two_factor?return_to=%2Fback", ""]);
    const cookie = cookieIn(response, "gatehouse_pending_sign_in");
    const fields = { intent: "second_factor", way: "app", return_to: "/back" };
    expect((await userOf(await postForm({ ...fields, code: app.code() }, cookie)))?.id).toBe(user.id);
  });

  it("a blocked user cannot sign in with a provider, and no user can sign in with a disabled or changed provider", async () => {
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

  it("a user signs in with GitHub by the numeric id and the verified primary e-mail address", async () => {
    use({ kind: "github", trustsEmails: true });
    const emails = (verified: boolean) => [
      { email: `public-${nameAtProvider()}@example.com`, primary: false, verified: true },
      { email: `${nameAtProvider()}@corp.example`, primary: true, verified },
    ];
    provider.behavior.user = {
      id: 4_000 + userNumber(),
      login: nameAtProvider(),
      name: null,
      email: `public-${nameAtProvider()}@example.com`,
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
    expect(user).toMatchObject({
      username: nameAtProvider(),
      email: `${nameAtProvider()}@corp.example`,
      emailVerified: true,
    });
    expect(await linkedAccountsOf(deps, user?.id ?? 0)).toMatchObject([
      { account: `${nameAtProvider()}@corp.example` },
    ]);
    expect((await userOf(await sign(false)))?.id).toBe(user?.id);
  });
});

describe("the API", () => {
  it("the API shows the linked accounts of a user to the user and to administrators, and lets administrators search for users by linked account", async () => {
    const zoe = await userOf(await signInAt(provider));
    if (zoe === null) throw new Error("The user did not sign in.");
    const identities = [{ provider: "corp", extern_uid: `sub ${nameAtProvider()}`, saml_provider_id: null }];
    const admin = await apiUser(deps, `${nameAtProvider()}admin`, { admin: true });
    const other = await apiUser(deps, `${nameAtProvider()}other`);
    const own = await tokenWith(deps, zoe, ["api"]);
    expect((await callApi(currentUserRoute.GET, "GET", { token: own })).body).toMatchObject({ identities });
    const path = { id: String(zoe.id) };
    const shown = await callApi(userRoute.GET, "GET", { token: admin.token, path });
    expect(shown.body).toMatchObject({ identities });
    const hidden = await callApi(userRoute.GET, "GET", { token: other.token, path });
    expect(hidden.body).not.toHaveProperty("identities");
    const query = `?provider=corp&extern_uid=${encodeURIComponent(`sub ${nameAtProvider()}`)}`;
    const listed = await callApi(usersRoute.GET, "GET", { token: admin.token, query });
    expect(listed.body).toMatchObject([{ id: zoe.id, identities }]);
    expect((await callApi(usersRoute.GET, "GET", { token: other.token, query })).body).toEqual([]);
    const unknown = { token: admin.token, query: "?provider=corp&extern_uid=none" };
    expect((await callApi(usersRoute.GET, "GET", unknown)).body).toEqual([]);
  });

  it("the API refuses to create a user in an enforced domain, unless the user is an administrator", async () => {
    use({ enforcedDomains: ["corp.example"] });
    const { user: by } = await signedInUser(deps, `${nameAtProvider()}chief`);
    const wish = {
      username: `${nameAtProvider()}n`,
      email: `${nameAtProvider()}n@corp.example`,
      password: PASSWORD,
    };
    expect(await createUserAsAdministrator(deps, by, wish)).toMatchObject({
      problems: { email: expect.stringContaining("sign in with") },
    });
    expect(await createUserAsAdministrator(deps, by, { ...wish, admin: true })).toHaveProperty("user");
  });
});

describe("the groups of a provider", () => {
  it("each sign-in adds and removes roles according to the groups of the user at the provider, and does not change other memberships", async () => {
    const { user: owner } = await signedInUser(deps, `${nameAtProvider()}o`);
    const created = [];
    for (const path of ["dev", "ops", "own"]) {
      const draft = {
        name: path,
        path: `${nameAtProvider()}-${path}`,
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
        `staff = ${nameAtProvider()}-dev : developer`,
        `cn=leads,dc=corp = ${nameAtProvider()}-dev : maintainer`,
        `staff = ${nameAtProvider()}-ops : reporter`,
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
      return rows.map(({ group, role }) => `${group.path.replace(`${nameAtProvider()}-`, "")} ${role}`);
    };
    expect(await roles(["staff", "cn=leads,dc=corp"])).toEqual(["dev 40", "ops 20"]);
    expect(await roles(["staff"])).toEqual(["dev 30", "ops 20"]);
    expect(await roles(undefined, { _claim_names: { groups: "src1" } })).toEqual(["dev 30", "ops 20"]);
    const { id } = await row(nameAtProvider());
    await deps.db.groupMember.updateMany({
      where: { userId: id, group: { path: `${nameAtProvider()}-ops` } },
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
    expect(memberships.map(({ group }) => group.path)).toEqual([`${nameAtProvider()}-ops`]);
    expect(await roles(["staff"])).toEqual(["dev 30", "ops 50"]);
    // The user keeps no role of the group mapping without the linked account, because no later sign-in could
    // remove this role.
    const password = { passwordDigest: (await row(`${nameAtProvider()}o`)).passwordDigest };
    await deps.db.user.update({ where: { id }, data: password });
    const [account] = await linkedAccountsOf(deps, id);
    expect(
      await unlinkIdentity(deps, { ...owner, id, username: nameAtProvider() }, account?.id ?? 0),
    ).toHaveProperty("id");
    const left = await deps.db.groupMember.findMany({ where: { userId: id }, include: { group: true } });
    expect(left.map(({ group }) => group.path)).toEqual([`${nameAtProvider()}-ops`]);
  });
});
