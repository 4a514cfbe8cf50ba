import { GET, POST } from "@app/users/confirmation/route.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { contentOf, listMessages } from "@/instance/mail/service.ts";
import { changeSettings } from "@/instance/settings/service.ts";
import { formPost, ORIGIN, PASSWORD, requestToken, signedInUser } from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { cookieIn, postForm, sessionIn } from "@/testing/second-factor.ts";
import { sessionOf } from "../sessions/service.ts";
import { changeAccount } from "../users/account-changes.ts";
import { cancelEmailChange, requestEmailChange } from "../users/email-change.ts";
import { confirmEmailByLink, resendConfirmationLink } from "../users/email-confirmation.ts";
import { changePassword } from "../users/profile.ts";
import { findById, resetPassword } from "../users/service.ts";

const withoutMail = await openTestDeps();
const mail = { url: "smtp://127.0.0.1:1", from: { name: "Gatehouse", address: "id@example.com" } };
const deps = await openTestDeps({ ...withoutMail, config: { ...withoutMail.config, mail } });
const admin = { ...(await signedInUser(deps, "mia")).user, admin: true };
await deps.db.user.update({ where: { id: admin.id }, data: { admin: true } });
const PAGE = `${ORIGIN}/users/confirmation?link=1`;
const NEXT_PASSWORD = "seven green lamps at noon";

let names = 0;
let username: string;
let email: string;
/** The cookie of the session in which a test opens confirmation links. */
let session: string;
beforeEach(async () => {
  names += 1;
  session = "";
  username = `nora${names}`;
  email = `Nora${names}@example.com`;
  await deps.db.mailMessage.deleteMany();
  await deps.db.rateCounter.deleteMany();
  await changeSettings(deps, {
    signup_enabled: "true",
    email_confirmation_setting: "soft",
    limit_email_confirmation_per_email: "10",
  });
});

const signUp = async () => {
  const response = await postForm({ intent: "sign_up", username, name: "", email, password: PASSWORD });
  session = sessionIn(response);
  return response;
};
const storedUser = async () => {
  const user = await findById(deps, (await userRow()).id);
  if (user === null) throw new Error("The user does not exist.");
  return user;
};
const liveSession = async (cookie: string) => {
  const session = await sessionOf(deps, cookie);
  if (session === null) throw new Error("The session is not live.");
  return session;
};
const userRow = () => deps.db.user.findUniqueOrThrow({ where: { usernameLower: username } });
const links = async (): Promise<readonly URL[]> =>
  (await listMessages(deps)).flatMap((message) => {
    const url = contentOf(deps, message)?.action?.url;
    return url === undefined ? [] : [new URL(url)];
  });
const newestToken = async () => (await links())[0]?.searchParams.get("confirmation_token") ?? "";
/** Opens a link in the browser with these cookies, and follows the redirect that moves the token to a cookie. */
const open = async (token: string, cookie = session) => {
  const url = `${ORIGIN}/users/confirmation?confirmation_token=${token}`;
  const moved = await GET(new Request(url, { headers: { cookie } }));
  expect([moved.status, moved.headers.get("location")]).toEqual([303, PAGE]);
  const headers = { cookie: `${cookieIn(moved, "gatehouse_email_confirmation")}; ${cookie}` };
  return GET(new Request(PAGE, { headers }));
};
const confirm = (token: string, cookie = session, headers: Record<string, string> = {}) => {
  const cookies = `gatehouse_email_confirmation=${token}; ${cookie}`;
  return POST(formPost("/users/confirmation", "", { cookie: cookies, ...headers }));
};

describe("the e-mail address of a new user", () => {
  it("the e-mail address of a new user is confirmed by the button on the confirmation page, but not by opening the link", async () => {
    await signUp();
    expect((await listMessages(deps)).map(({ recipient }) => recipient)).toEqual([email]);
    const token = await newestToken();
    const page = await open(token);
    expect(await page.text()).toContain(`@${username}`);
    expect((await userRow()).emailVerified).toBe(false);
    expect((await confirm(token)).status).toBe(200);
    expect(await userRow()).toMatchObject({ email, emailVerified: true, pendingEmail: null });
    expect((await sessionOf(deps, session))?.user).toMatchObject({ email, emailVerified: true });
    expect((await confirm(token)).status).toBe(404);
    expect((await open(token)).status).toBe(404);
    expect((await links()).length).toBe(1);
  });

  it("a page of another site cannot confirm an e-mail address", async () => {
    await signUp();
    const response = await confirm(await newestToken(), session, { "sec-fetch-site": "cross-site" });
    expect(response.status).toBe(403);
    expect((await userRow()).emailVerified).toBe(false);
  });

  it("no confirmation link is sent to a new user when only administrators confirm e-mail addresses", async () => {
    await changeSettings(deps, { email_confirmation_setting: "off" });
    await signUp();
    expect(await listMessages(deps)).toEqual([]);
  });

  it("the e-mail with the confirmation link contains the username, but not the name that the new user chose", async () => {
    await postForm({ intent: "sign_up", username, name: "Claim your prize", email, password: PASSWORD });
    const [message] = await listMessages(deps);
    const text = JSON.stringify(message === undefined ? null : contentOf(deps, message));
    expect(text).toContain(`@${username}`);
    expect(text).not.toContain("prize");
  });

  it("the e-mail address of a new user stays pending after a password reset, and can then be confirmed only by a new link", async () => {
    await signUp();
    const token = await newestToken();
    await resetPassword(deps, await storedUser(), NEXT_PASSWORD);
    expect((await confirm(token)).status).toBe(404);
    session = sessionIn(await postForm({ login: username, password: NEXT_PASSWORD }));
    expect(await resendConfirmationLink(deps, await storedUser())).toBe("sent");
    await confirm(await newestToken());
    expect(await userRow()).toMatchObject({ email, emailVerified: true });
  });

  it("an e-mail address is not confirmed if the password of the user is reset at the same time", async () => {
    await signUp();
    const racing: typeof deps = {
      ...deps,
      transaction: async (run) => {
        await resetPassword(deps, await storedUser(), NEXT_PASSWORD);
        return deps.transaction(run);
      },
    };
    expect(await confirmEmailByLink(racing, await newestToken())).toBe("invalid");
    expect((await userRow()).emailVerified).toBe(false);
  });

  it("a new user cannot cancel the request for the only e-mail address of the account", async () => {
    await signUp();
    expect(await cancelEmailChange(deps, await storedUser())).toBe(false);
    expect((await userRow()).pendingEmail).toBe(email);
  });

  it("an e-mail address cannot be confirmed if another user has confirmed the same e-mail address first", async () => {
    await signUp();
    const token = await newestToken();
    const other = (await signedInUser(deps, `other${names}`)).user;
    await deps.db.user.update({ where: { id: other.id }, data: { email, emailLower: email.toLowerCase() } });
    const response = await confirm(token);
    expect(response.status).toBe(409);
    expect((await userRow()).emailVerified).toBe(false);
  });

  it.each<[string, () => unknown]>([
    ["a day", () => withoutMail.advance(86_400)],
    [
      "the block of the user",
      async () => deps.db.user.update({ where: { usernameLower: username }, data: { state: "blocked" } }),
    ],
    [
      "administrators have started to confirm e-mail addresses",
      () => changeSettings(deps, { email_confirmation_setting: "off" }),
    ],
    [
      "a request for another e-mail address",
      async () =>
        deps.db.user.update({ where: { usernameLower: username }, data: { pendingEmail: "x@example.com" } }),
    ],
  ])("the link to a new user does not confirm the e-mail address after %s", async (_change, change) => {
    await signUp();
    const token = await newestToken();
    await change();
    expect([(await open(token)).status, (await confirm(token)).status]).toEqual([404, 404]);
    expect((await userRow()).emailVerified).toBe(false);
  });
});

describe("a link to confirm an e-mail address", () => {
  it("the server moves the token of a confirmation link to a cookie, so that the URL, the page and the log do not contain the token", async () => {
    await signUp();
    const token = await newestToken();
    const page = await open(token);
    expect([page.status, page.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(await page.text()).not.toContain("ghml_");
    expect((await confirm(token)).headers.getSetCookie().join()).toContain("gatehouse_email_confirmation=;");
    expect(JSON.stringify(withoutMail.logged)).not.toContain(token.slice(5, 30));
  });

  it("a confirmation link in a browser without a session redirects to the sign-in page, and then back to the link", async () => {
    await signUp();
    const token = await newestToken();
    for (const response of [await open(token, ""), await confirm(token, "")]) {
      const query = `return_to=${encodeURIComponent("/users/confirmation?link=1")}&login_hint=${username}`;
      expect(response.status).toBe(303);
      expect(response.headers.get("location")).toBe(`${ORIGIN}/users/sign_in?${query}`);
    }
    expect((await userRow()).emailVerified).toBe(false);
    const signedIn = await postForm({
      login: username,
      password: PASSWORD,
      return_to: "/users/confirmation?link=1",
    });
    expect(signedIn.headers.get("location")).toBe(PAGE);
    expect((await confirm(token, sessionIn(signedIn))).status).toBe(200);
  });

  it("if another user is signed in, a confirmation link is refused with a message", async () => {
    await signUp();
    const token = await newestToken();
    const other = await signedInUser(deps, `other${names}`);
    for (const response of [await open(token, other.cookie), await confirm(token, other.cookie)]) {
      expect(response.status).toBe(403);
      const text = await response.text();
      expect(text).toContain(
        `You are signed in as @other${names}, but the link was sent for the account @${username}.`,
      );
      expect(text).toContain("again=1");
    }
    expect((await userRow()).emailVerified).toBe(false);
  });
});

describe("a user who must confirm the e-mail address before signing in", () => {
  beforeEach(() => changeSettings(deps, { email_confirmation_setting: "hard" }));

  it("a user who must confirm the e-mail address gets no session and no token before the confirmation, and gets another link at sign-in", async () => {
    const first = await signUp();
    const login = { login: username, password: PASSWORD };
    const second = await postForm(login);
    for (const response of [first, second]) {
      expect(response.headers.get("location")).toBe(`${ORIGIN}/users/confirmation`);
      expect(sessionIn(response)).toBe("");
    }
    expect(await (await GET(new Request(`${ORIGIN}/users/confirmation`))).text()).toContain(
      "Check your e-mail",
    );
    const grant = { grant_type: "password", username, password: PASSWORD };
    expect((await requestToken(grant)).body["error"]).toBe("invalid_grant");
    expect(await links()).toHaveLength(2);
    await confirm(await newestToken());
    expect(sessionIn(await postForm(login))).not.toBe("");
    expect((await requestToken(grant)).status).toBe(200);
  });
});

const requestChange = async (cookie: string, wanted = email) =>
  requestEmailChange(deps, await liveSession(cookie), {
    email: wanted,
    currentPassword: PASSWORD,
    ipAddress: "192.0.2.1",
  });
const changeOwnPassword = async (cookie: string, revokesAccess: boolean) =>
  changePassword(deps, await liveSession(cookie), {
    ...{ password: NEXT_PASSWORD, again: NEXT_PASSWORD, revokesAccess },
    ...{ currentPassword: PASSWORD, ipAddress: "192.0.2.1" },
  });

describe("a user who must confirm the e-mail address and opens no link", () => {
  beforeEach(() => changeSettings(deps, { email_confirmation_setting: "hard" }));

  const shown = async (response: Response) =>
    (await GET(new Request(response.headers.get("location") ?? ""))).text();

  it("if the browser has a session of another user, a user who must confirm the e-mail address sees a message to sign out", async () => {
    await signUp();
    const token = await newestToken();
    const { cookie } = await signedInUser(deps, `other${names}`);
    const page = await open(token, cookie);
    expect(page.status).toBe(403);
    expect(await page.text()).toContain('value="sign_out"');
    expect((await confirm(token, cookie)).status).toBe(403);
    expect((await userRow()).emailVerified).toBe(false);
    expect((await open(token, "")).status).toBe(200);
  });

  it("if no e-mail address is pending, a user who must confirm an e-mail address sees a message to ask an administrator", async () => {
    await signUp();
    const none = { pendingEmail: null, pendingEmailAt: null };
    await deps.db.user.update({ where: { usernameLower: username }, data: none });
    const page = await shown(await postForm({ login: username, password: PASSWORD }));
    expect(page).toContain("Ask an administrator to set your e-mail address.");
    expect(page).not.toContain("Check your e-mail");
  });

  it("if too many links were sent, a user who must confirm the e-mail address sees a message about the limit", async () => {
    await signUp();
    await changeSettings(deps, { limit_email_confirmation_per_email: "1" });
    const page = await shown(await postForm({ login: username, password: PASSWORD }));
    expect(page).toContain("Too many links were sent");
    expect(await links()).toHaveLength(1);
  });
});

describe("a changed e-mail address", () => {
  it("a new e-mail address replaces the confirmed e-mail address when its link is used, and the previous e-mail address gets a notice", async () => {
    const ann = await signedInUser(deps, username);
    expect(await requestChange(ann.cookie)).toEqual({});
    expect(await findById(deps, ann.user.id)).toMatchObject({ email: ann.user.email, emailVerified: true });
    await confirm(await newestToken(), ann.cookie);
    expect(await findById(deps, ann.user.id)).toMatchObject({ email, emailVerified: true });
    expect((await listMessages(deps)).map(({ kind, recipient }) => [kind, recipient])).toEqual([
      ["email_changed", ann.user.email],
      ["email_confirmation", email],
      ["email_change_requested", ann.user.email],
    ]);
  });

  it.each<[string, (cookie: string) => Promise<unknown>]>([
    ["a reset of the password", async () => resetPassword(deps, await storedUser(), NEXT_PASSWORD)],
    [
      "an administrator's change of the password",
      async () => changeAccount(deps, admin, (await storedUser()).id, { password: NEXT_PASSWORD }),
    ],
    ["a change of the password that revokes access", (cookie) => changeOwnPassword(cookie, true)],
  ])("the change of an e-mail address is canceled by %s", async (_change, change) => {
    const ann = await signedInUser(deps, username);
    await requestChange(ann.cookie);
    const token = await newestToken();
    await change(ann.cookie);
    expect(await userRow()).toMatchObject({ email: ann.user.email, pendingEmail: null });
    expect((await confirm(token)).status).toBe(404);
    const canceled = { userId: ann.user.id, name: "email_change.canceled" };
    expect(await deps.db.auditEvent.count({ where: canceled })).toBe(1);
  });

  it("after a password change that does not revoke access, a new e-mail address stays pending, but its link becomes invalid", async () => {
    const ann = await signedInUser(deps, username);
    await requestChange(ann.cookie);
    const token = await newestToken();
    expect(await changeOwnPassword(ann.cookie, false)).toEqual({});
    expect((await confirm(token)).status).toBe(404);
    expect(await userRow()).toMatchObject({ email: ann.user.email, pendingEmail: email });
  });

  it("a request to change the e-mail address is refused after five confirmation links were sent to the user within an hour, and the previous request stays pending", async () => {
    const { cookie } = await signedInUser(deps, username);
    for (let count = 0; count < 5; count++)
      expect(await requestChange(cookie, `${count}.${email}`)).toEqual({});
    expect(await requestChange(cookie)).toEqual({
      email: "Too many confirmation links were sent. Try again in 60 minutes.",
    });
    expect((await userRow()).pendingEmail).toBe(`4.${email}`);
    expect(await links()).toHaveLength(5);
  });

  it("a request to change the e-mail address is refused if the new e-mail address has received the maximum number of links, regardless of the requesting user", async () => {
    await changeSettings(deps, { limit_email_confirmation_per_email: "1" });
    const first = await signedInUser(deps, `${username}-1`);
    const second = await signedInUser(deps, `${username}-2`);
    expect(await requestChange(first.cookie)).toEqual({});
    expect((await requestChange(second.cookie, email.toUpperCase())).email).toContain("Too many");
    expect((await signUp()).headers.get("location")).toContain("problem=limit&minutes=60");
    expect(await links()).toHaveLength(1);
  });

  it("a user gets at most five additional confirmation links in an hour", async () => {
    await signUp();
    const user = await findById(deps, (await userRow()).id);
    if (user === null) throw new Error("The user does not exist.");
    const outcomes = [];
    for (let count = 0; count < 6; count++) outcomes.push(await resendConfirmationLink(deps, user));
    expect(outcomes).toEqual([...Array(5).fill("sent"), "limited"]);
    await confirm(await newestToken());
    expect(await resendConfirmationLink(deps, user)).toBe("none");
  });
});
