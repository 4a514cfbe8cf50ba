import { GET as getUser } from "@app/api/v4/user/route.ts";
import { POST as postFile } from "@app/users/recovery_codes/route.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { changeSettings } from "@/instance/settings/service.ts";
import { newAuthenticator } from "@/testing/authenticator.ts";
import {
  authorizationQuery,
  codeFor,
  encoded,
  exchangeOf,
  formPost,
  ORIGIN,
  PASSWORD,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { addedPasskey, enrolledApp } from "@/testing/second-factor.ts";
import { beforeFirstTransaction } from "@/testing/transactions.ts";
import { sessionCsrfToken, sessionOf } from "../sessions/service.ts";
import { resetPassword } from "../users/service.ts";
import { creationOptions } from "./passkey.ts";
import { codesPurpose } from "./rules.ts";
import { recoveryDigest } from "./second-factor.ts";
import {
  addPasskey,
  beginTotp,
  continueTotp,
  enrollTotp,
  removePasskey,
  renewRecoveryCodes,
  resetTwoFactor,
  turnOff,
  twoFactorOf,
} from "./service.ts";
import { claimRecoveryCode } from "./store.ts";

const deps = await openTestDeps();

let ann: SignedInUser;
let users = 0;
beforeEach(async () => {
  users += 1;
  deps.advance(600);
  ann = await signedInUser(deps, `ann${users}`);
});

const row = () => deps.db.user.findUniqueOrThrow({ where: { id: ann.user.id } });
const events = async () =>
  (await deps.db.auditEvent.findMany({ where: { userId: ann.user.id }, orderBy: { id: "asc" } })).map(
    ({ name }) => name,
  );

describe("setting up an authenticator app", () => {
  it("the first correct code of an authenticator app enables two-factor authentication, and creates ten recovery codes", async () => {
    expect((await row()).twoFactorSince).toBeNull();
    const { recoveryCodes } = await enrolledApp(deps, ann.user);
    expect(new Set(recoveryCodes).size).toBe(10);
    expect((await row()).twoFactorSince).toEqual(deps.clock());
    expect(await events()).toEqual(["sign_in.succeeded", "totp.enrolled", "two_factor.enabled"]);
    expect(await twoFactorOf(deps, ann.user)).toEqual({ totp: true, passkeys: [], recoveryCodesLeft: 10 });
  });

  it("after a wrong code, the setup of an authenticator app stores nothing, and the page shows the same secret again", async () => {
    const pending = beginTotp(deps, ann.user);
    for (const typed of ["", "000000", "x"])
      expect(await enrollTotp(deps, ann.user, pending.sealed, typed)).toBe("wrong");
    expect(await twoFactorOf(deps, ann.user)).toMatchObject({ totp: false });
    expect(continueTotp(deps, ann.user, pending.sealed)).toEqual(pending);
    expect(pending.sealed).not.toContain(pending.secret.slice(0, 4));
  });

  it("the setup of an authenticator app rejects a secret that is forged, expired or of another user", async () => {
    const bob = await signedInUser(deps, `bob${users}`);
    const his = beginTotp(deps, bob.user);
    const mine = beginTotp(deps, ann.user);
    for (const sealed of [
      "",
      "x",
      his.sealed,
      `${mine.sealed.startsWith("A") ? "B" : "A"}${mine.sealed.slice(1)}`,
    ]) {
      expect(await enrollTotp(deps, ann.user, sealed, "123456")).toBe("expired");
      expect(continueTotp(deps, ann.user, sealed).sealed).not.toBe(sealed);
    }
    deps.advance(1_800);
    expect(await enrollTotp(deps, ann.user, mine.sealed, "123456")).toBe("expired");
  });

  it("a repeated setup of an authenticator app replaces the previous app and keeps the recovery codes", async () => {
    const before = await enrolledApp(deps, ann.user);
    deps.advance(120);
    const after = await enrolledApp(deps, ann.user);
    expect(after.recoveryCodes).toEqual([]);
    expect(after.code()).not.toBe(before.code());
    expect((await twoFactorOf(deps, ann.user)).recoveryCodesLeft).toBe(10);
  });
});

describe("recovery codes", () => {
  it("new recovery codes replace the old recovery codes, which then stop working", async () => {
    const { recoveryCodes } = await enrolledApp(deps, ann.user);
    const renewed = (await renewRecoveryCodes(deps, ann.user)) ?? [];
    expect(renewed).toHaveLength(10);
    expect(renewed.filter((code) => recoveryCodes.includes(code))).toEqual([]);
    expect(await deps.db.recoveryCode.count({ where: { userId: ann.user.id } })).toBe(10);
  });

  it("a used recovery code is no longer counted", async () => {
    const [code = ""] = (await enrolledApp(deps, ann.user)).recoveryCodes;
    expect(await claimRecoveryCode(deps.db, ann.user.id, recoveryDigest(code), deps.clock())).toBe(true);
    expect((await twoFactorOf(deps, ann.user)).recoveryCodesLeft).toBe(9);
  });

  it("recovery codes are created only for users who have a second factor", async () => {
    expect(await renewRecoveryCodes(deps, ann.user)).toBeNull();
  });

  it("recovery codes can be downloaded only with the form of the page that shows them", async () => {
    const codes = "aaaa-bbbb cccc-dddd";
    const session = await sessionOf(deps, ann.cookie);
    const form_token = session === null ? "" : sessionCsrfToken(deps, session, codesPurpose(codes));
    const post = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      postFile(
        formPost("/users/recovery_codes", encoded({ codes, form_token, ...fields }), {
          cookie: ann.cookie,
          ...headers,
        }),
      );
    const file = await post({});
    expect(file.status).toBe(200);
    expect(file.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(file.headers.get("content-disposition")).toMatch(/^attachment; /);
    expect(file.headers.get("cache-control")).toBe("no-store");
    expect(await file.text()).toContain("aaaa-bbbb\r\ncccc-dddd");
    const refused = [
      post({ codes: "<script>" }),
      post({ form_token: "" }),
      post({}, { cookie: "" }),
      post({}, { origin: "https://evil.example" }),
      post({}, { "sec-fetch-site": "cross-site" }),
    ];
    for (const response of await Promise.all(refused)) expect(response.status).toBe(403);
  });
});

describe("passkeys", () => {
  const added = async (text: string, purpose = "register") =>
    addPasskey(deps, ann.user, { purpose, text, name: " laptop " });

  it("passkeys enable two-factor authentication, have names, and can be removed, except for the last passkey", async () => {
    await addedPasskey(deps, ann.user, "one");
    await addedPasskey(deps, ann.user, "  ");
    const { passkeys, recoveryCodesLeft } = await twoFactorOf(deps, ann.user);
    expect([passkeys.map(({ name }) => name), recoveryCodesLeft]).toEqual([["one", "Passkey"], 10]);
    const [firstId, secondId] = passkeys.map(({ id }) => id);
    const bob = await signedInUser(deps, `bob${users}`);
    expect(await removePasskey(deps, bob.user, firstId ?? 0)).toBeNull();
    expect(await removePasskey(deps, ann.user, firstId ?? 0)).toEqual({ name: "one" });
    expect(await removePasskey(deps, ann.user, secondId ?? 0)).toBe("last");
    expect((await twoFactorOf(deps, ann.user)).passkeys).toHaveLength(1);
    expect((await events()).filter((name) => name === "passkey.removed")).toHaveLength(1);
  });

  it.each([
    ["on another site", { origin: "https://evil.example" }],
    ["for another site", { rpId: "evil.example" }],
  ])("a passkey that the browser created %s is rejected", async (_where, faults) => {
    const creation = await creationOptions(deps, "register", ann.user);
    expect(await added(newAuthenticator().create(creation, faults))).toBe("wrong");
    expect((await row()).twoFactorSince).toBeNull();
  });

  it("a passkey is added only once, only for the requested purpose, and only before the request expires", async () => {
    const creation = await creationOptions(deps, "register", ann.user);
    const text = newAuthenticator().create(creation);
    expect(await added(text, "register another")).toBe("expired");
    expect(await added(text)).toMatchObject({ codes: expect.any(Array) });
    expect(await added(text)).toBe("expired");
    const late = newAuthenticator().create(await creationOptions(deps, "register", ann.user));
    deps.advance(900);
    expect(await added(late)).toBe("expired");
    for (const broken of ["", "{}", "null"]) expect(await added(broken)).toBe("wrong");
  });

  it("an authenticator that is already registered cannot add a second passkey", async () => {
    const authenticator = newAuthenticator();
    for (const outcome of [expect.objectContaining({ codes: expect.any(Array) }), "taken"]) {
      const creation = await creationOptions(deps, "register", ann.user);
      expect(await added(authenticator.create(creation))).toEqual(outcome);
    }
    const { excludeCredentials } = await creationOptions(deps, "register", ann.user);
    expect(excludeCredentials).toHaveLength(1);
  });
});

describe("disabling two-factor authentication", () => {
  const off = (password = PASSWORD) => turnOff(deps, ann.user, { password, ipAddress: "192.0.2.1" });

  it("disabling two-factor authentication requires the password, removes all second factors, and keeps the sessions", async () => {
    await enrolledApp(deps, ann.user);
    await addedPasskey(deps, ann.user);
    expect(await off("not it")).toBe("wrong");
    expect((await row()).twoFactorSince).not.toBeNull();
    expect(await off()).toBe("off");
    expect((await row()).twoFactorSince).toBeNull();
    expect(await twoFactorOf(deps, ann.user)).toEqual({ totp: false, passkeys: [], recoveryCodesLeft: 0 });
    expect(await sessionOf(deps, ann.cookie)).not.toBeNull();
    expect((await events()).at(-1)).toBe("two_factor.disabled");
  });

  it("disabling two-factor authentication is refused if the password is reset after the check of the password", async () => {
    await enrolledApp(deps, ann.user);
    const during = beforeFirstTransaction(deps, () =>
      resetPassword(deps, ann.user, "another long passphrase"),
    );
    expect(await turnOff(during, ann.user, { password: PASSWORD, ipAddress: "192.0.2.1" })).toBe("wrong");
    expect((await row()).twoFactorSince).not.toBeNull();
  });

  it("disabling two-factor authentication is refused while the instance requires two-factor authentication", async () => {
    await enrolledApp(deps, ann.user);
    await changeSettings(deps, { require_two_factor_authentication: "true" });
    expect(await off()).toBe("required");
    await changeSettings(deps, { require_two_factor_authentication: "false" });
  });

  it("an administrator disables the two-factor authentication of a user without entering a password, and the audit log records the administrator", async () => {
    await enrolledApp(deps, ann.user);
    const chief = await signedInUser(deps, `chief${users}`);
    await resetTwoFactor(deps, ann.user.id, chief.user);
    expect((await row()).twoFactorSince).toBeNull();
    const event = await deps.db.auditEvent.findFirstOrThrow({
      where: { userId: ann.user.id, name: "two_factor.disabled" },
    });
    expect(JSON.parse(event.details)).toEqual({ by: "administrator", administratorId: chief.user.id });
  });
});

describe("a user with a second factor", () => {
  it(
    conformance(
      "PW-05",
      "US-01",
      "a user with a second factor gets no token from the password grant, and the API reports two_factor_enabled",
    ),
    async () => {
      const grant = {
        grant_type: "password",
        username: ann.user.username,
        password: PASSWORD,
        scope: "read_user",
      };
      expect((await requestToken(grant)).status).toBe(200);
      const client = await registeredClient(deps, ann.user);
      const { body } = await requestToken(
        exchangeOf(client, await codeFor(deps, ann, authorizationQuery(client))),
      );
      const enabled = async () => {
        const headers = { authorization: `Bearer ${body["access_token"]}` };
        const response = await getUser(new Request(`${ORIGIN}/api/v4/user`, { headers }));
        return (await response.json()).two_factor_enabled;
      };
      expect(await enabled()).toBe(false);
      await enrolledApp(deps, ann.user);
      expect(await enabled()).toBe(true);
      const { status, body: refused } = await requestToken(grant);
      expect([status, refused["error"]]).toEqual([400, "invalid_grant"]);
    },
  );
});
