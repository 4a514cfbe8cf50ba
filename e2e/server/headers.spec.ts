import { conformance } from "../../src/testing/conformance.ts";
import { FONT_URL } from "../../src/ui/font.ts";
import { expect, test } from "../fixtures.ts";
import { startInstance } from "../instance.ts";

/** One URL for each kind of response. */
const ADDRESSES = {
  "a page": "/help/connect",
  "the sign-in page": "/users/sign_in",
  "a page of the authorization endpoint": "/oauth/authorize",
  "a page that does not exist": "/there/is/no/such/page",
  "an endpoint": "/oauth/token/info",
  "the API": "/api/v4/user",
  discovery: "/.well-known/openid-configuration",
  "the stylesheet": "/gatehouse.css",
  "the icon": "/icon.svg",
  "the font": FONT_URL,
  "a redirect": "/profile/applications",
};

for (const [name, path] of Object.entries(ADDRESSES))
  test(`${name} has the headers that every response must have`, async ({ instance }) => {
    const { headers } = await fetch(instance.baseUrl + path, { redirect: "manual" });
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toMatch(/^(?:same-origin|no-referrer)$/);
    expect(headers.get("x-frame-options")).toMatch(/^(?:DENY|SAMEORIGIN)$/);
    expect(headers.get("x-powered-by")).toBeNull();
    expect(headers.get("strict-transport-security"), "only under https").toBeNull();
  });

for (const name of ["a page", "the sign-in page", "a page that does not exist"] as const)
  test(`the content security policy of ${name} contains a new nonce for each response`, async ({
    instance,
  }) => {
    const nonces = new Set<string>();
    for (let round = 0; round < 2; round++) {
      const response = await fetch(instance.baseUrl + ADDRESSES[name]);
      const policy = response.headers.get("content-security-policy") ?? "";
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("base-uri 'none'");
      expect(policy).not.toContain("unsafe");
      const scripts = (await response.text()).match(/<script\b[^>]*>/g) ?? [];
      expect(scripts.length).toBeGreaterThan(0);
      for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`);
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(2);
  });

test("the content security policy of a page without scripts allows no scripts", async ({ instance }) => {
  const response = await fetch(instance.baseUrl + ADDRESSES["a page of the authorization endpoint"]);
  const policy = response.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain("script-src");
});

for (const mount of ["server", "next"] as const)
  test(
    conformance(
      "SC-17",
      `with an https base URL, all responses contain the HSTS header and all cookies have the prefix __Host-, in the server mode ${mount}`,
    ),
    async () => {
      const instance = await startInstance({ mount, env: { BASE_URL: "https://gatehouse.example" } });
      try {
        for (const path of Object.values(ADDRESSES)) {
          const { headers } = await fetch(instance.baseUrl + path, { redirect: "manual" });
          expect(headers.get("strict-transport-security"), path).toBe("max-age=63072000");
        }
        const post = (path: string, form: Readonly<Record<string, string>>) =>
          fetch(instance.baseUrl + path, {
            method: "POST",
            body: new URLSearchParams(form),
            redirect: "manual",
          });
        const responses = await Promise.all([
          post("/users/session", { login: "root", password: "wrong" }),
          post("/users/session", { login: "root", password: instance.rootPassword }),
          post("/users/theme", { theme: "dark" }),
          fetch(`${instance.baseUrl}/api/auth/csrf`),
          fetch(`${instance.baseUrl}/api/auth/providers`),
        ]);
        const lines = responses.flatMap(({ headers }) => headers.getSetCookie());
        const names = new Set(lines.map((line) => line.split("=", 1)[0]));
        for (const name of ["session", "login", "theme", "csrf", "callback_url"])
          expect(names).toContain(`__Host-gatehouse_${name}`);
        for (const line of lines) {
          expect(line).toMatch(/^__Host-gatehouse_\w+=/);
          for (const attribute of ["Path=/", "HttpOnly", "Secure"])
            expect(line.split("; ")).toContain(attribute);
          expect(line).toMatch(/; SameSite=Lax(?:;|$)/i);
          expect(line).not.toContain("Domain");
        }
      } finally {
        await instance.stop();
      }
    },
  );
