import { POST } from "@app/users/session/route.ts";
import { GET } from "@app/users/sign_in/route.ts";
import { beforeAll, describe, expect, it } from "vitest";
import {
  authorizationQuery,
  encoded,
  type Fields,
  formPost,
  ORIGIN,
  registeredClient,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";

const deps = await openTestDeps();
const RETURN_TO = "/oauth/authorize?client_id=x&prompt=login";

let ann: SignedInUser;
beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
});

const open = (query: Record<string, string>, cookie = ""): Promise<Response> =>
  GET(new Request(`${ORIGIN}/users/sign_in?${new URLSearchParams(query)}`, { headers: { cookie } }));

async function shown(query: Record<string, string>, cookie = ""): Promise<string> {
  const response = await open(query, cookie);
  expect(response.status).toBe(200);
  return response.text();
}

describe("the sign-in page", () => {
  it(
    conformance("AZ-26", "the sign-in page redirects a signed-in user, unless the user must re-authenticate"),
    async () => {
      const redirect = await open({ return_to: RETURN_TO }, ann.cookie);
      expect(redirect.status).toBe(303);
      expect(redirect.headers.get("location")).toBe(ORIGIN + RETURN_TO);
      const html = await shown({ return_to: RETURN_TO, again: "1" }, ann.cookie);
      expect(html).toContain('type="password"');
      expect(html).toContain('<input type="hidden" name="again" value="1"/>');
      expect(html).toContain(`name="return_to" value="${RETURN_TO.replaceAll("&", "&amp;")}"`);
    },
  );

  it(
    conformance(
      "AZ-29",
      "AT-34",
      "the sign-in page fills in the login name from the parameter login_hint, and escapes special characters",
    ),
    async () => {
      expect(await shown({ login_hint: "ann@example.com" })).toContain('value="ann@example.com"');
      expect(await shown({ login_hint: '"><script>' })).not.toContain("<script>");
    },
  );

  it("the sign-in page names the application to which the user returns, but only if the redirect URI is valid", async () => {
    const client = await registeredClient(deps, ann.user, { name: "Acme <Deploy>" });
    const returnTo = (changes: Record<string, string> = {}) =>
      `/oauth/authorize?${encoded(authorizationQuery(client, changes))}`;
    expect(await shown({ return_to: returnTo() })).toContain("Acme &lt;Deploy&gt;");
    for (const changes of [{ redirect_uri: "https://evil.example/" }, { client_id: "unknown" }])
      expect(await shown({ return_to: returnTo(changes) })).not.toContain("to continue to");
    expect(await shown({ return_to: "/projects" })).not.toContain("to continue to");
    await deps.db.application.update({ where: { uid: client.id }, data: { blockedAt: deps.clock() } });
    expect(await shown({ return_to: returnTo() })).not.toContain("to continue to");
  });

  it("the sign-in page does not mention the password of root after the first sign-in", async () => {
    expect(await shown({})).not.toContain("This server is new");
  });

  it("the sign-in page contains the entered login name again after the form was refused", async () => {
    const login = "ann+%41@example.com";
    const response = await POST(formPost("/users/session", encoded({ login, password: "wrong horse" })));
    const cookie = response.headers.getSetCookie().find((line) => line.startsWith("gatehouse_login="));
    expect(await shown({}, cookie?.split(";", 1)[0])).toContain(`value="${login}"`);
    expect(await shown({}, "gatehouse_login=%zz")).toContain('name="login"');
  });

  it("the content security policy of the sign-in page limits the form only without a client, and allows one script with a new nonce", async () => {
    const returnTo = `/oauth/authorize?${new URLSearchParams({ redirect_uri: "https://app.example/cb" })}`;
    const policies = await Promise.all(
      [{ return_to: returnTo }, {}].map(async (query) =>
        (await open(query)).headers.get("content-security-policy"),
      ),
    );
    expect(policies[0]).not.toContain("form-action");
    expect(policies[1]).toContain("form-action 'self';");
    const nonces = policies.map(
      (policy) => /script-src 'nonce-([A-Za-z0-9+/=]{24})';/.exec(policy ?? "")?.[1],
    );
    expect(nonces[0]).toBeDefined();
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  it("the sign-in page contains the options for a passkey request, and loads only the script that all pages share", async () => {
    const html = await shown({});
    expect(html).toContain('data-passkey="{&quot;challenge&quot;:');
    for (const [script] of html.matchAll(/<script[^>]*>/g)) expect(script).toContain('src="/-/assets/page-');
  });

  it("the sign-in page shows the form again after a wrong password, even to a signed-in user", async () => {
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
  ])(
    conformance("PW-11", "the sign-in page shows an error message for the problem %j"),
    async (query, text) => {
      const html = await shown(query);
      expect(html).toMatch(text);
      expect(html).toContain('role="alert"');
      expect(html).toContain('name="password"');
    },
  );

  it("the sign-in page shows an error message only after an error", async () => {
    expect(await shown({})).not.toContain('role="alert"');
  });
});
