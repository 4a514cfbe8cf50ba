import { beforeEach, describe, expect, it } from "vitest";
import { requestOptions } from "@/identity/two-factor/passkey.ts";
import { resetTwoFactor } from "@/identity/two-factor/service.ts";
import * as users from "@/identity/users/service.ts";
import { wrongSecondFactors } from "@/instance/audit/service.ts";
import type { Authenticator } from "@/testing/authenticator.ts";
import { ORIGIN, PASSWORD, type SignedInUser, signedInUser } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import {
  type AuthenticatorApp,
  addedPasskey,
  cookieIn,
  enrolledApp,
  pendingSignInCookie,
  postForm,
  sessionIn,
} from "@/testing/second-factor.ts";
import { sessionOf } from "../sessions/service.ts";
import { pendingPurpose, pendingSignIn } from "./pending-sign-in.ts";

const deps = await openTestDeps();

let ann: SignedInUser;
let app: AuthenticatorApp;
let userCount = 0;

beforeEach(async () => {
  userCount += 1;
  deps.advance(3_600);
  ann = await signedInUser(deps, `ann${userCount}`);
  app = await enrolledApp(deps, ann.user);
});

const password = () => pendingSignInCookie(ann.user.username);
const giveCode = (cookie: string, code: string, more: Record<string, string> = {}) =>
  postForm({ intent: "second_factor", code, return_to: "/back", ...more }, cookie);
const placeOf = (response: Response) => new URL(response.headers.get("location") ?? "");
const problemIn = (response: Response) => placeOf(response).searchParams.get("problem");
const events = (name: string) => deps.db.auditEvent.count({ where: { name, userId: ann.user.id } });

describe("a correct password of a user with a second factor", () => {
  it("a correct password of a user with a second factor redirects to the second-factor form with the return URL, and creates no session", async () => {
    const before = await deps.db.session.count();
    const response = await postForm({ login: ann.user.username, password: PASSWORD, return_to: "/x?y=1" });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(`${ORIGIN}/users/two_factor?return_to=%2Fx%3Fy%3D1`);
    expect(sessionIn(response)).toBe("");
    expect(await deps.db.session.count()).toBe(before);
    const line = response.headers
      .getSetCookie()
      .find((cookie) => cookie.startsWith("gatehouse_pending_sign_in="));
    expect(line).toMatch(/; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
  });

  it("a correct password of a user with a second factor sets a cookie that does not work as a session cookie", async () => {
    const pending = await password();
    const sealed = pending.slice(pending.indexOf("=") + 1);
    expect(await sessionOf(deps, pending)).toBeNull();
    expect(await sessionOf(deps, `gatehouse_session=${sealed}`)).toBeNull();
    const session = ann.cookie.slice(ann.cookie.indexOf("=") + 1);
    expect(await pendingSignIn(deps, `gatehouse_pending_sign_in=${session}`)).toBeNull();
    for (const changed of [`${sealed.slice(0, -4)}AAAA`, "", "x", sealed.slice(1)])
      expect(await pendingSignIn(deps, `gatehouse_pending_sign_in=${changed}`)).toBeNull();
  });

  it.each<[string, () => Promise<unknown>]>([
    ["ten minutes later", async () => deps.advance(600)],
    ["after the password has changed", () => users.resetPassword(deps, ann.user, "another password")],
    [
      "after the user was blocked",
      () => deps.db.user.update({ where: { id: ann.user.id }, data: { state: "blocked" } }),
    ],
    ["after the second factor was removed", () => resetTwoFactor(deps, ann.user.id)],
  ])(
    "after a correct password, the sign-in cannot be completed with a second factor %s",
    async (_when, happen) => {
      const pending = await password();
      await happen();
      const response = await giveCode(pending, app.code());
      expect([placeOf(response).pathname, problemIn(response)]).toEqual(["/users/sign_in", "expired"]);
      expect(sessionIn(response)).toBe("");
    },
  );

  it("the cookie that records a correct password is accepted only once, so a copy of the cookie creates no second session", async () => {
    const pending = await password();
    expect(sessionIn(await giveCode(pending, app.code()))).not.toBe("");
    const again = await giveCode(pending, app.code(1));
    expect(problemIn(again)).toBe("expired");
    expect(sessionIn(again)).toBe("");
    const rewritten = await giveCode(`${pending}=`, app.recoveryCodes[0] ?? "");
    expect(sessionIn(rewritten)).toBe("");
  });
});

describe("a code from an authenticator app", () => {
  it("a code from an authenticator app creates a new session and ends the previous session of the browser", async () => {
    const pending = await password();
    deps.advance(300);
    const response = await postForm(
      { intent: "second_factor", code: app.code().replace(/(...)/, "$1 "), return_to: "/back" },
      `${pending}; ${ann.cookie}`,
      { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" },
    );
    expect(response.headers.get("location")).toBe(`${ORIGIN}/back`);
    const session = await sessionOf(deps, sessionIn(response));
    expect(session?.signedInAt).toEqual(deps.clock());
    expect(await sessionOf(deps, ann.cookie)).toBeNull();
    expect(response.headers.getSetCookie().join()).toContain("gatehouse_pending_sign_in=; Path=/; Max-Age=0");
    const row = await deps.db.session.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(row).toMatchObject({ userAgent: expect.stringContaining("Firefox"), address: "unknown" });
  });

  it("a code from an authenticator app is accepted only once, and all earlier codes are refused after it", async () => {
    expect(sessionIn(await giveCode(await password(), app.code(1)))).not.toBe("");
    for (const code of [app.code(1), app.code(0), app.code(-1)])
      expect(problemIn(await giveCode(await password(), code))).toBe("wrong");
    deps.advance(60);
    expect(sessionIn(await giveCode(await password(), app.code()))).not.toBe("");
  });

  it("several simultaneous requests with the same code of an authenticator app create only one session", async () => {
    const cookies = await Promise.all(Array.from({ length: 4 }, password));
    const code = app.code();
    const responses = await Promise.all(cookies.map((cookie) => giveCode(cookie, code)));
    expect(responses.filter((response) => sessionIn(response) !== "")).toHaveLength(1);
  });

  it.each(["", "000000", "12345", "1234567", "abcdef", "' OR 1=1", "\u0661\u0662\u0663\u0664\u0665\u0666"])(
    "the second-factor form rejects the wrong code %j",
    async (code) => {
      const response = await giveCode(await password(), code);
      expect([placeOf(response).pathname, problemIn(response)]).toEqual(["/users/two_factor", "wrong"]);
      expect(placeOf(response).searchParams.get("return_to")).toBe("/back");
      expect(await events("sign_in.second_factor_failed")).toBe(1);
    },
  );

  it("the code and the secret of an authenticator app are neither stored nor logged as plain text", async () => {
    const { sealedSecret } = await deps.db.totpSecret.findUniqueOrThrow({ where: { userId: ann.user.id } });
    expect(sealedSecret).toMatch(/^[\w-]{60,}$/);
    const code = app.code();
    await giveCode(await password(), code);
    expect(JSON.stringify(deps.logged)).not.toContain(code);
  });
});

describe("wrong codes from an authenticator app", () => {
  it("after five wrong codes from authenticator apps, every code of the user is refused for ten minutes", async () => {
    for (let guess = 0; guess < 5; guess++)
      expect(problemIn(await giveCode(await password(), "123123"))).toBe("wrong");
    const limited = await giveCode(await password(), app.code());
    expect([problemIn(limited), placeOf(limited).searchParams.get("minutes")]).toEqual(["limit", "10"]);
    expect(problemIn(await giveCode(await password(), app.recoveryCodes[0] ?? ""))).toBe("limit");
    deps.advance(600);
    expect(sessionIn(await giveCode(await password(), app.code()))).not.toBe("");
  });

  it(
    conformance(
      "SC-16",
      "the waiting time doubles each time the user reaches the limit of wrong codes, until a correct code resets the waiting time",
    ),
    async () => {
      const refusedMinutes = async () => {
        for (let guess = 0; guess < 5; guess++)
          expect(problemIn(await giveCode(await password(), "123123"))).toBe("wrong");
        const minutes = Number(
          placeOf(await giveCode(await password(), "123123")).searchParams.get("minutes"),
        );
        deps.advance(minutes * 60);
        return minutes;
      };
      expect(await refusedMinutes()).toBe(10);
      expect(await refusedMinutes()).toBe(20);
      expect(await refusedMinutes()).toBe(40);
      expect(sessionIn(await giveCode(await password(), app.code()))).not.toBe("");
      expect(await refusedMinutes()).toBe(10);
    },
  );

  it(
    conformance(
      "SC-16",
      "wrong codes in other browsers do not block a browser in which the user has signed in before",
    ),
    async () => {
      const device = cookieIn(await giveCode(await password(), app.code()), "gatehouse_device");
      for (let guess = 0; guess < 6; guess++) await giveCode(await password(), "123123");
      deps.advance(30);
      expect(problemIn(await giveCode(await password(), app.code(1)))).toBe("limit");
      expect(sessionIn(await giveCode(`${await password()}; ${device}`, app.code(1)))).not.toBe("");
    },
  );

  it(
    conformance(
      "SC-16",
      "wrong codes are reported to the user at the next sign-in and on the two-factor page",
    ),
    async () => {
      const quiet = await giveCode(await password(), app.code());
      expect(cookieIn(quiet, "gatehouse_flash")).toBe("");
      deps.advance(60);
      for (let guess = 0; guess < 2; guess++) await giveCode(await password(), "123123");
      const loud = await giveCode(await password(), app.code());
      expect(decodeURIComponent(cookieIn(loud, "gatehouse_flash"))).toContain(
        "2 wrong second factors were entered since you last signed in. If that was not you, change your password.",
      );
      const since = new Date(deps.clock().getTime() - 3_600_000);
      expect(await wrongSecondFactors(deps, ann.user.id, since)).toHaveLength(2);
      deps.advance(60);
      expect(cookieIn(await giveCode(await password(), app.code()), "gatehouse_flash")).toBe("");
    },
  );

  it("wrong codes are counted correctly when several requests send them simultaneously", async () => {
    const pending = await password();
    const responses = await Promise.all(Array.from({ length: 12 }, () => giveCode(pending, "123123")));
    expect(responses.map(problemIn).filter((problem) => problem === "wrong")).toHaveLength(5);
  });

  it("wrong codes of a user do not affect other users, and correct codes are not counted", async () => {
    for (let guess = 0; guess < 4; guess++) await giveCode(await password(), "123123");
    const bob = await signedInUser(deps, `bob${userCount}`);
    const his = await enrolledApp(deps, bob.user);
    expect(sessionIn(await giveCode(await pendingSignInCookie(bob.user.username), his.code()))).not.toBe("");
    expect(sessionIn(await giveCode(await password(), app.code()))).not.toBe("");
    expect(problemIn(await giveCode(await password(), "123123"))).toBe("wrong");
  });
});

describe("a recovery code", () => {
  it("a recovery code can be entered in several notations, and creates a session only once", async () => {
    const [code = "", other = ""] = app.recoveryCodes;
    const typed = ` ${code.toUpperCase().replaceAll("-", " ")} `;
    expect(sessionIn(await giveCode(await password(), typed))).not.toBe("");
    expect(problemIn(await giveCode(await password(), code, { way: "recovery" }))).toBe("wrong");
    expect(sessionIn(await giveCode(await password(), other))).not.toBe("");
    expect(await events("recovery_code.used")).toBe(2);
  });

  it("several simultaneous requests with the same recovery code create only one session", async () => {
    const cookies = await Promise.all(Array.from({ length: 4 }, password));
    const responses = await Promise.all(
      cookies.map((cookie) => giveCode(cookie, app.recoveryCodes[3] ?? "")),
    );
    expect(responses.filter((response) => sessionIn(response) !== "")).toHaveLength(1);
  });

  it("a recovery code is not stored as plain text", async () => {
    const rows = await deps.db.recoveryCode.findMany({ where: { userId: ann.user.id } });
    expect(rows).toHaveLength(10);
    for (const code of app.recoveryCodes) expect(JSON.stringify(rows)).not.toContain(code);
  });
});

describe("a passkey", () => {
  let passkey: Authenticator;
  beforeEach(async () => {
    passkey = await addedPasskey(deps, ann.user);
  });

  const forSignIn = () => requestOptions(deps, "sign_in", null);
  const signInWith = (credential: string) =>
    postForm({ intent: "passkey", credential, return_to: "/back", again: "1" });

  async function forPending(pending: string) {
    const signIn = await pendingSignIn(deps, pending);
    if (signIn === null) throw new Error("The password check does not count.");
    return requestOptions(deps, pendingPurpose(signIn), signIn.user);
  }
  const completeWith = (pending: string, credential: string) =>
    postForm({ intent: "second_factor", credential, return_to: "/back" }, pending);

  it("a passkey signs a user in without a password if the authenticator has verified the user", async () => {
    const response = await signInWith(passkey.get(await forSignIn()));
    expect(response.headers.get("location")).toBe(`${ORIGIN}/back`);
    expect((await sessionOf(deps, sessionIn(response)))?.user.id).toBe(ann.user.id);
    const row = await deps.db.passkey.findFirstOrThrow({ where: { userId: ann.user.id } });
    expect([row.counter, row.lastUsedAt]).toEqual([2, deps.clock()]);
  });

  it.each<[string, Parameters<Authenticator["get"]>[1]]>([
    ["if the authenticator has not verified the user", { verified: false }],
    ["if the signature counter decreases", { counter: 0 }],
    ["if the signature counter does not increase", { counter: 1 }],
    ["on another site", { origin: "https://evil.example" }],
    ["for another site", { rpId: "evil.example" }],
    ["if the response names another user", { userHandle: "AAAA" }],
  ])("a passkey does not sign a user in %s", async (_what, faults) => {
    const response = await signInWith(passkey.get(await forSignIn(), faults));
    expect([placeOf(response).pathname, problemIn(response)]).toEqual(["/users/sign_in", "passkey"]);
    expect(placeOf(response).searchParams.get("again")).toBe("1");
    expect(sessionIn(response)).toBe("");
  });

  it("a passkey does not sign a user in twice with one response", async () => {
    const assertion = passkey.get(await forSignIn(), { counter: 0 });
    await deps.db.passkey.updateMany({ where: { userId: ann.user.id }, data: { counter: 0 } });
    expect(sessionIn(await signInWith(assertion))).not.toBe("");
    expect(problemIn(await signInWith(assertion))).toBe("expired");
  });

  it("a passkey does not sign a user in with a response that is too old or for another purpose", async () => {
    const old = passkey.get(await forSignIn());
    deps.advance(900);
    expect(problemIn(await signInWith(old))).toBe("expired");
    const pending = await password();
    expect(problemIn(await signInWith(passkey.get(await forPending(pending))))).toBe("expired");
    expect(problemIn(await completeWith(pending, passkey.get(await forSignIn())))).toBe("expired");
    const other = await password();
    expect(problemIn(await completeWith(other, passkey.get(await forPending(pending))))).toBe("expired");
  });

  it("a passkey does not sign a blocked user in", async () => {
    await deps.db.user.update({ where: { id: ann.user.id }, data: { state: "blocked" } });
    expect(problemIn(await signInWith(passkey.get(await forSignIn())))).toBe("passkey");
  });

  it.each(["", "x", "{}", "null", "[]", '{"id":"a"}', JSON.stringify({ id: "a".repeat(60_000) })])(
    "the sign-in form rejects the malformed passkey response %j",
    async (credential) => {
      expect(problemIn(await signInWith(credential))).toBe("passkey");
    },
  );

  it("after a correct password, a passkey completes the sign-in, even if the authenticator has not verified the user", async () => {
    const pending = await password();
    const response = await completeWith(pending, passkey.get(await forPending(pending), { verified: false }));
    expect(response.headers.get("location")).toBe(`${ORIGIN}/back`);
    expect((await sessionOf(deps, sessionIn(response)))?.user.id).toBe(ann.user.id);
  });

  it("a passkey does not complete the sign-in of another user", async () => {
    const bob = await signedInUser(deps, `bob${userCount}`);
    const his = await addedPasskey(deps, bob.user);
    const pending = await password();
    const response = await completeWith(pending, his.get(await forPending(pending)));
    expect(problemIn(response)).toBe("passkey");
    expect(cookieIn(response, "gatehouse_session")).toBe("");
  });
});
