import { GET as reloadProvider } from "@app/users/auth/[provider]/route.ts";
import { GET as showEdit } from "@app/users/password/edit/route.ts";
import { GET as showNew } from "@app/users/password/new/route.ts";
import { POST, GET as reload } from "@app/users/password/route.ts";
import { GET as showSignIn } from "@app/users/sign_in/route.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { contentOf, listMessages } from "@/instance/mail/service.ts";
import { createPersonalToken } from "@/oauth/personal-access-tokens/service.ts";
import {
  bearerStatus,
  encoded,
  type Fields,
  formPost,
  ORIGIN,
  PASSWORD,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { cookieIn, enrolledApp, postForm, sessionIn } from "@/testing/second-factor.ts";
import { countStatements } from "@/testing/statements.ts";
import { sessionOf } from "../sessions/service.ts";
import { resetPassword } from "../users/service.ts";
import { resetPasswordByLink } from "./service.ts";

const deps = await openTestDeps();
const statements = countStatements();
const NEXT_PASSWORD = "seven green lamps at noon";
const CHOICE = { password: NEXT_PASSWORD, again: NEXT_PASSWORD };

let users = 0;
let ann: SignedInUser;
beforeEach(async () => {
  users += 1;
  ann = await signedInUser(deps, `ann${users}`);
  await deps.db.mailMessage.deleteMany();
  await deps.db.rateCounter.deleteMany();
});

const post = (fields: Fields, cookie = "", headers: Record<string, string> = {}) =>
  POST(formPost("/users/password", encoded(fields), { cookie, ...headers }));
const get = (page: (request: Request) => Promise<Response>, path: string, cookie = "") =>
  page(new Request(ORIGIN + path, { headers: { cookie } }));
const location = (response: Response) => response.headers.get("location");

const sentLinks = async (): Promise<readonly string[]> => {
  const contents = (await listMessages(deps)).map((message) => contentOf(deps, message));
  return contents.flatMap((content) => content?.action?.url.replace(ORIGIN, "") ?? []);
};

/**
 * Requests a password reset link and opens the link.
 * @returns the cookie of the page for the new password.
 */
async function openedLink(): Promise<string> {
  await post({ email: ann.user.email });
  const [link = ""] = await sentLinks();
  return cookieIn(await get(showEdit, link), "gatehouse_password_reset");
}

it("the URLs of forms redirect to the page of the form when a browser loads them again", async () => {
  expect(location(await get(reload, "/users/password"))).toBe(`${ORIGIN}/users/password/new`);
  const cookie = await openedLink();
  expect(location(await get(reload, "/users/password", cookie))).toBe(`${ORIGIN}/users/password/edit`);
  expect(location(await get(reloadProvider, "/users/auth/other"))).toBe(`${ORIGIN}/users/sign_in`);
});

describe("a request for a password reset", () => {
  it("a request for an unknown e-mail address runs the same database statements and gets the same response as a request for a known e-mail address", async () => {
    const counted = async (email: string) => {
      const before = statements();
      const response = await post({ email });
      return [statements() - before, response.status, location(response), response.headers.getSetCookie()];
    };
    // The first request fills the cache of settings, so that both measured requests run the same statements.
    await counted("somebody@example.com");
    const expected = await counted(ann.user.email.toUpperCase());
    expect(await counted("nobody@example.com")).toEqual(expected);
    expect(expected[2]).toBe(`${ORIGIN}/users/password/new?return_to=%2F&sent=1`);
    expect((await listMessages(deps)).map(({ recipient }) => recipient)).toEqual([ann.user.email]);
    expect(await deps.db.mailMessage.count()).toBe(3);
  });

  it("after five requests for a password reset of one e-mail address within an hour, further requests are refused, even for an unknown e-mail address", async () => {
    for (const email of [ann.user.email, "nobody@example.com"]) {
      for (let count = 0; count < 5; count++) expect(location(await post({ email }))).toContain("sent=1");
      expect(location(await post({ email: email.toUpperCase() }))).toContain("problem=limit&minutes=60");
    }
    expect(await sentLinks()).toHaveLength(5);
  });

  it("a request for a password reset sends no e-mail if the user is blocked, or if the request contains a username", async () => {
    await post({ email: ann.user.username });
    await deps.db.user.update({ where: { id: ann.user.id }, data: { state: "blocked" } });
    await post({ email: ann.user.email });
    expect(await sentLinks()).toEqual([]);
  });

  it("a request for a password reset is refused when a page of another site sends the request", async () => {
    const response = await post({ email: ann.user.email }, "", { "sec-fetch-site": "cross-site" });
    expect(response.status).toBe(403);
    expect(await sentLinks()).toEqual([]);
  });

  it.each(["", "no at sign", `${"a".repeat(250)}@example.com`])(
    "a request for a password reset redirects to the form again if the entered text is %j",
    async (email) => {
      const response = await post({ email, return_to: "/projects" });
      const page = await (await get(showNew, (location(response) ?? "").replace(ORIGIN, ""))).text();
      expect(page).toContain("Enter the e-mail address of your account.");
      expect(page).toContain('value="/projects"');
    },
  );

  it("the password reset page shows a message when the instance has no mail server", async () => {
    expect(await (await get(showNew, "/users/password/new")).text()).toContain(
      "This server sends no e-mail.",
    );
  });
});

describe("a link to reset a password", () => {
  it("the server moves the token of a password reset link to a cookie, so that the URL of the page contains no token", async () => {
    await post({ email: ann.user.email });
    const [link = ""] = await sentLinks();
    expect(link).toMatch(/^\/users\/password\/edit\?reset_password_token=ghml_[\w-]+$/);
    const response = await get(showEdit, link);
    expect([response.status, location(response)]).toEqual([303, `${ORIGIN}/users/password/edit`]);
    expect(response.headers.getSetCookie().join()).toContain("HttpOnly");
    const page = await get(showEdit, "/users/password/edit", cookieIn(response, "gatehouse_password_reset"));
    expect([page.status, page.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(await page.text()).not.toContain("ghml_");
    const [, token = ""] = link.split("=");
    expect(JSON.stringify(await deps.db.mailMessage.findMany())).not.toContain(token.slice(5, 30));
    expect(JSON.stringify(deps.logged)).not.toContain(token.slice(5, 30));
  });

  it("a password reset link sets the password once, ends the sessions of the user, revokes the tokens, and sends a notice", async () => {
    const token = await createPersonalToken(deps, ann.user, { name: "t", scopes: ["api"], expiresAt: null });
    if ("problems" in token) throw new Error("The token was not created.");
    const cookie = await openedLink();
    const response = await post(CHOICE, cookie);
    const next = location(response)?.replace(ORIGIN, "") ?? "";
    expect(await (await get(showSignIn, next)).text()).toContain("Your password is changed.");
    expect(response.headers.getSetCookie().join()).toContain("gatehouse_password_reset=;");
    expect(sessionIn(response)).toBe("");
    expect(await sessionOf(deps, ann.cookie)).toBeNull();
    expect(await bearerStatus(token.value)).toBe(401);
    expect(sessionIn(await postForm({ login: ann.user.username, password: PASSWORD }))).toBe("");
    expect(sessionIn(await postForm({ login: ann.user.username, password: NEXT_PASSWORD }))).not.toBe("");
    expect((await post({ password: PASSWORD, again: PASSWORD }, cookie)).status).toBe(404);
    expect((await listMessages(deps)).map(({ kind }) => kind)).toEqual([
      "new_sign_in",
      "password_changed",
      "password_reset",
      "personal_token_created",
    ]);
    const events = await deps.db.auditEvent.findMany({
      where: { userId: ann.user.id, name: { startsWith: "password_reset" } },
    });
    expect(events.map(({ name }) => name)).toEqual(["password_reset.requested", "password_reset.completed"]);
  });

  it("a password reset link is valid for only one of several simultaneous requests", async () => {
    const cookie = await openedLink();
    const responses = await Promise.all([1, 2, 3].map(() => post(CHOICE, cookie)));
    expect(responses.map(({ status }) => status).sort()).toEqual([303, 404, 404]);
  });

  it("a password reset link is not valid if the e-mail address of the user changes at the same time", async () => {
    await post({ email: ann.user.email });
    const [link = ""] = await sentLinks();
    const moved = { email: `moved${users}@example.com`, emailLower: `moved${users}@example.com` };
    const racing: typeof deps = {
      ...deps,
      transaction: async (run) => {
        await deps.db.user.update({ where: { id: ann.user.id }, data: moved });
        return deps.transaction(run);
      },
    };
    const browser = { ipAddress: "192.0.2.1", userAgent: null };
    expect(await resetPasswordByLink(racing, link.split("=")[1] ?? "", CHOICE, browser)).toBe("invalid");
    expect(sessionIn(await postForm({ login: ann.user.username, password: PASSWORD }))).not.toBe("");
  });

  it("a password reset link does not replace the second factor of the user", async () => {
    await enrolledApp(deps, ann.user);
    await post(CHOICE, await openedLink());
    const response = await postForm({ login: ann.user.username, password: NEXT_PASSWORD });
    expect(location(response)).toContain("/users/two_factor");
    expect(sessionIn(response)).toBe("");
  });

  it.each<[string, () => unknown]>([
    ["30 minutes", () => deps.advance(30 * 60)],
    ["a change of the password", () => resetPassword(deps, ann.user, "another long password")],
    [
      "a change of the e-mail address",
      () =>
        deps.db.user.update({
          where: { id: ann.user.id },
          data: { email: "x@example.com", emailLower: `x${users}@example.com` },
        }),
    ],
    [
      "the block of the user",
      () => deps.db.user.update({ where: { id: ann.user.id }, data: { state: "blocked" } }),
    ],
  ])("a password reset link is no longer valid after %s", async (_change, change) => {
    const cookie = await openedLink();
    expect((await get(showEdit, "/users/password/edit", cookie)).status).toBe(200);
    await change();
    expect((await get(showEdit, "/users/password/edit", cookie)).status).toBe(404);
    expect((await post(CHOICE, cookie)).status).toBe(404);
  });

  it.each([
    [{ password: "short", again: "short" }, "must have at least 8 characters"],
    [{ password: NEXT_PASSWORD, again: "other" }, "The passwords do not match."],
  ])("a password reset link stays valid when the new password %j is refused", async (choice, text) => {
    const cookie = await openedLink();
    const response = await post(choice, cookie);
    expect(response.status).toBe(422);
    expect(await response.text()).toContain(text);
    expect(location(await post(CHOICE, cookie))).toContain("/users/sign_in");
  });

  it.each(["x", "ghml_x", "ghml_", "a; Domain=evil.example", "%00"])(
    "a password reset link with the invalid token %j shows an error page",
    async (token) => {
      const response = await get(
        showEdit,
        `/users/password/edit?reset_password_token=${encodeURIComponent(token)}`,
      );
      expect(response.headers.getSetCookie().join()).not.toContain("Domain");
      const page = await get(
        showEdit,
        "/users/password/edit",
        cookieIn(response, "gatehouse_password_reset"),
      );
      expect(page.status).toBe(404);
      expect(await page.text()).toContain("Request a new link");
    },
  );
});
