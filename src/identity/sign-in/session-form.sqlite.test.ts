import { POST } from "@app/users/session/route.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as users from "@/identity/users/service.ts";
import { encoded, type Fields, formPost, ORIGIN, PASSWORD } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { endSessionsOf, sessionCsrfToken, sessionOf } from "../sessions/service.ts";

const deps = await openTestDeps();
const SESSION = "gatehouse_session";

beforeAll(async () => {
  for (const username of ["ann", "bob", "blocked"])
    await users.create(deps, { username, email: `${username}@Example.com`, password: PASSWORD });
  await deps.db.user.update({ where: { usernameLower: "blocked" }, data: { state: "blocked" } });
});

// The test clock advances, so that wrong passwords of one test are not counted in the next test.
beforeEach(() => deps.advance(200));

const post = (fields: Fields, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  POST(formPost("/users/session", encoded(fields), headers));

const signIn = (fields: Fields = {}, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  post({ login: "ann", password: PASSWORD, ...fields }, headers);

const setCookieOf = (response: Response): string | undefined =>
  response.headers.getSetCookie().find((line) => line.startsWith(`${SESSION}=`));

const cookieOf = (response: Response): string => setCookieOf(response)?.split(";", 1)[0] ?? "";

const sessions = () => deps.db.session.count();

async function signOut(cookie: string, changes: Fields = {}): Promise<Response> {
  const session = await sessionOf(deps, cookie);
  const form_token = session === null ? "" : sessionCsrfToken(deps, session, "sign_out");
  return post({ intent: "sign_out", form_token, ...changes }, { cookie });
}

describe("signing in", () => {
  it.each(["ann", "ANN", "ann@example.com", "Ann@EXAMPLE.com", " ann "])(
    "the sign-in form accepts the username or e-mail address %j",
    async (login) => {
      const response = await signIn({ login, return_to: "/user_settings/applications?a=b" });
      expect(response.status).toBe(303);
      expect(response.headers.get("location")).toBe(`${ORIGIN}/user_settings/applications?a=b`);
      expect((await sessionOf(deps, cookieOf(response)))?.user.username).toBe("ann");
    },
  );

  it("the sign-in form rejects a long username with a surrogate pair at the truncation limit", async () => {
    const response = await signIn({ login: `${"a".repeat(253)}😀😀` });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toContain("problem=wrong");
  });

  it(
    conformance(
      "AT-15",
      "a sign-in sets an opaque session cookie that is HttpOnly and is not sent with requests from other sites",
    ),
    async () => {
      const line = setCookieOf(await signIn());
      expect(line).toMatch(/; HttpOnly(;|$)/);
      expect(line).toMatch(/; SameSite=Lax(;|$)/);
      expect(line).toMatch(/; Path=\/(;|$)/);
      expect(line).not.toContain("Domain");
      expect(line).not.toContain("ghse_");
    },
  );

  it(
    conformance("AT-15", "each sign-in creates a new session and ends the previous session of the browser"),
    async () => {
      const first = cookieOf(await signIn());
      const before = await sessionOf(deps, first);
      const second = cookieOf(await signIn({ login: "bob" }, { cookie: first }));
      const after = await sessionOf(deps, second);
      expect(after?.user.username).toBe("bob");
      expect(after?.id).not.toBe(before?.id);
      expect(await sessionOf(deps, first)).toBeNull();
    },
  );

  it("a sign-in does not end the sessions of other browsers", async () => {
    const first = cookieOf(await signIn());
    await signIn();
    expect(await sessionOf(deps, first)).not.toBeNull();
  });

  it.each<[string, Fields]>([
    ["a wrong password", { password: "wrong horse battery" }],
    ["the password in capitals", { password: PASSWORD.toUpperCase() }],
    ["no password", { password: undefined }],
    ["an empty password", { password: "" }],
    ["a password of a million letters", { password: "x".repeat(60_000) }],
    ["an unknown username", { login: "nobody" }],
    ["an unknown e-mail address", { login: "nobody@example.com" }],
    ["no username", { login: undefined }],
    ["the username of a blocked user", { login: "blocked" }],
  ])(
    conformance(
      "AT-23",
      "AT-25",
      "a sign-in with %s is refused with the same response for each cause, and creates no session",
    ),
    async (_what, changes) => {
      const before = await sessions();
      const response = await signIn({ return_to: "/x?y=1", ...changes });
      expect(response.status).toBe(303);
      expect(response.headers.get("location")).toBe(
        `${ORIGIN}/users/sign_in?problem=wrong&return_to=%2Fx%3Fy%3D1`,
      );
      expect(setCookieOf(response)).toBeUndefined();
      expect(await sessions()).toBe(before);
    },
  );

  it.each([
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "javascript:alert(1)",
    "http:evil.example",
    " //evil.example",
  ])(
    conformance("AT-12", "a sign-in does not redirect to another site if return_to is %j"),
    async (return_to) => {
      expect((await signIn({ return_to })).headers.get("location")).toBe(`${ORIGIN}/`);
      const refused = await signIn({ return_to, password: "wrong" });
      expect(refused.headers.get("location")).toBe(`${ORIGIN}/users/sign_in?problem=wrong&return_to=%2F`);
    },
  );

  it.each<[string, Record<string, string>]>([
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["a sibling domain", { "sec-fetch-site": "same-site" }],
    ["another origin", { origin: "https://evil.example" }],
    ["an opaque origin", { origin: "null" }],
  ])(
    conformance("AT-15", "a sign-in from %s is refused, and the session does not change"),
    async (_where, headers) => {
      const response = await signIn({}, headers);
      expect(response.status).toBe(403);
      expect(response.headers.getSetCookie()).toEqual([]);
    },
  );

  it.each(["text/plain", "multipart/form-data; boundary=x", "application/json"])(
    "a sign-in with the content type %s is refused",
    async (type) => {
      expect((await signIn({}, { "content-type": type })).status).toBeGreaterThanOrEqual(400);
    },
  );

  it.each([
    "login=a%00b&password=x",
    "login=%zz&password=x",
    "login=%ff&password=x",
    "password=%00&login=ann",
  ])(conformance("XC-09", "AT-32", "a sign-in with the invalid encoding %s is refused"), async (body) => {
    const response = await POST(formPost("/users/session", body));
    expect([400, 403]).toContain(response.status);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  it(conformance("XC-15", "a sign-in writes neither the password nor the cookie to the log"), async () => {
    const cookie = cookieOf(await signIn());
    await signIn({ password: "wrong horse battery" });
    const log = JSON.stringify(deps.logged);
    for (const secret of [PASSWORD, "wrong horse battery", cookie]) expect(log).not.toContain(secret);
    expect(log).toContain("sign_in.refused");
  });
});

describe("signing out", () => {
  it(conformance("AT-37", "a sign-out ends the session for every copy of the session cookie"), async () => {
    const cookie = cookieOf(await signIn());
    const response = await signOut(cookie);
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(`${ORIGIN}/users/sign_in`);
    expect(setCookieOf(response)).toMatch(/^gatehouse_session=; .*Max-Age=0/);
    expect(await sessionOf(deps, cookie)).toBeNull();
  });

  it(conformance("AT-14", "a sign-out requires the CSRF token of the current session"), async () => {
    const cookie = cookieOf(await signIn());
    const other = await sessionOf(deps, cookieOf(await signIn()));
    const foreign = other === null ? "" : sessionCsrfToken(deps, other, "sign_out");
    for (const form_token of [undefined, "", "x", foreign])
      expect((await signOut(cookie, { form_token })).status).toBe(403);
    expect(await sessionOf(deps, cookie)).not.toBeNull();
  });

  it(conformance("AT-14", "a sign-out from another site is refused"), async () => {
    const cookie = cookieOf(await signIn());
    const session = await sessionOf(deps, cookie);
    const form_token = session === null ? "" : sessionCsrfToken(deps, session, "sign_out");
    const headers = { cookie, "sec-fetch-site": "cross-site" };
    expect((await post({ intent: "sign_out", form_token }, headers)).status).toBe(403);
    expect(await sessionOf(deps, cookie)).not.toBeNull();
  });

  it("a sign-out succeeds when it is repeated or when there is no session", async () => {
    const cookie = cookieOf(await signIn());
    await signOut(cookie);
    expect((await signOut(cookie)).status).toBe(303);
    expect((await post({ intent: "sign_out" })).status).toBe(303);
  });
});

describe("a session", () => {
  it(
    conformance(
      "AT-48",
      "a session is not accepted while its user is blocked, and is accepted again after unblocking",
    ),
    async () => {
      const cookie = cookieOf(await signIn({ login: "bob" }));
      const block = (state: string) =>
        deps.db.user.update({ where: { usernameLower: "bob" }, data: { state } });
      await block("blocked");
      expect(await sessionOf(deps, cookie)).toBeNull();
      await block("active");
      expect(await sessionOf(deps, cookie)).not.toBeNull();
    },
  );

  it("a session ends after seven days", async () => {
    const cookie = cookieOf(await signIn());
    deps.advance(604_799);
    expect(await sessionOf(deps, cookie)).not.toBeNull();
    deps.advance(1);
    expect(await sessionOf(deps, cookie)).toBeNull();
  });

  it("all sessions of a user can be ended together, and the sessions of other users continue", async () => {
    const [mine, too, theirs] = [await signIn(), await signIn(), await signIn({ login: "bob" })].map(
      cookieOf,
    );
    const ann = await users.find(deps, "ann");
    if (ann !== null) await endSessionsOf(deps, ann);
    expect(await sessionOf(deps, mine ?? "")).toBeNull();
    expect(await sessionOf(deps, too ?? "")).toBeNull();
    expect(await sessionOf(deps, theirs ?? "")).not.toBeNull();
  });

  it.each([null, "", "a=b", `${SESSION}=`, `${SESSION}=x.y.z`, `${SESSION}=ghse_x`, `${SESSION}`])(
    "no session is found in the Cookie header %j",
    async (header) => {
      expect(await sessionOf(deps, header)).toBeNull();
    },
  );

  it("the session cookie is found among other cookies, but a cookie with a longer name is not accepted", async () => {
    const cookie = cookieOf(await signIn());
    expect(await sessionOf(deps, `a=b; ${cookie}; c=d`)).not.toBeNull();
    expect(await sessionOf(deps, `x${cookie}`)).toBeNull();
  });
});
