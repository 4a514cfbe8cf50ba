import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, describe, expect, it, vi } from "vitest";
import {
  encoded,
  type Fields,
  formPost,
  ORIGIN,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { POST } from "../session/route.ts";
import SignInPage from "./page.tsx";

/** The request that the mocked functions of Next describe. */
const request = vi.hoisted(() => ({ headers: new Headers() }));
vi.mock("next/headers", () => ({
  headers: async () => request.headers,
  cookies: async () => ({ get: () => undefined }),
}));

const deps = await openTestDeps();
const RETURN_TO = "/oauth/authorize?client_id=x&prompt=login";

let ann: SignedInUser;
beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
});

async function shown(query: Record<string, string>, cookie = ""): Promise<string> {
  request.headers = new Headers({ cookie });
  return renderToStaticMarkup(await SignInPage({ searchParams: Promise.resolve(query) }));
}

describe("the sign-in page", () => {
  it(conformance("AZ-26", "redirects a signed-in user, unless the user must re-authenticate"), async () => {
    await expect(shown({ return_to: RETURN_TO }, ann.cookie)).rejects.toMatchObject({
      digest: expect.stringContaining(RETURN_TO),
    });
    const html = await shown({ return_to: RETURN_TO, again: "1" }, ann.cookie);
    expect(html).toContain('type="password"');
    expect(html).toContain('<input type="hidden" name="again" value="1"/>');
    expect(html).toContain(`name="return_to" value="${RETURN_TO.replaceAll("&", "&amp;")}"`);
  });

  it(conformance("AZ-29", "AT-34", "fills in the login from the parameter login_hint, escaped"), async () => {
    expect(await shown({ login_hint: "ann@example.com" })).toContain('value="ann@example.com"');
    expect(await shown({ login_hint: '"><script>' })).not.toContain("<script>");
  });

  it("shows the form again after a wrong password, even to a signed-in user", async () => {
    const form: Fields = { login: "ann", password: "wrong horse", return_to: RETURN_TO, again: "1" };
    const response = await POST(formPost("/users/session", encoded(form), { cookie: ann.cookie }));
    const { searchParams } = new URL(response.headers.get("location") ?? "", ORIGIN);
    const html = await shown(Object.fromEntries(searchParams), ann.cookie);
    expect(html).toContain("The username or password is wrong.");
    expect(html).toContain('name="again"');
  });

  it.each<[Record<string, string>, RegExp]>([
    [{ problem: "wrong" }, /The username or password is wrong/],
    [{ problem: "limit", minutes: "3" }, /Too many attempts\. Try again in 3 minutes\./],
    [{ problem: "limit", minutes: "1" }, /Too many attempts\. Try again in 1 minute\./],
    [{ problem: "limit", minutes: "0" }, /Too many attempts\. Try again in 3 minutes\./],
    [{ problem: "limit", minutes: "99999" }, /Too many attempts\. Try again in 3 minutes\./],
    [{ problem: "limit", minutes: "<b>" }, /Too many attempts\. Try again in 3 minutes\./],
    [{ problem: "busy" }, /Too many people are signing in/],
  ])(conformance("PW-11", "shows an error message for the problem %j"), async (query, text) => {
    const html = await shown(query);
    expect(html).toMatch(text);
    expect(html).toContain('role="alert"');
    expect(html).toContain('name="password"');
  });

  it("shows no error message unless an error has occurred", async () => {
    expect(await shown({})).not.toContain('role="alert"');
  });
});
