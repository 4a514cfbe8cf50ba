import { describe, expect, it } from "vitest";
import {
  contentSecurityPolicy,
  redirectUriIn,
  sourceOf,
  staticPageSecurityPolicy,
} from "./content-security-policy.ts";

describe("the function sourceOf", () => {
  it.each<[string, string | null]>([
    ["https://app.example/cb?x=1", "https://app.example"],
    ["http://127.0.0.1:4711/cb", "http://127.0.0.1:4711"],
    ["http://localhost:4711/cb", "http://localhost:4711"],
    ["http://[::1]:4711/cb", "http:"],
    ["com.example.app:/cb", "com.example.app:"],
    ["javascript:alert(1)", null],
    ["JavaScript:alert(1)", null],
    ["data:text/html,x", null],
    ["vbscript:x", null],
    ["blob:https://app.example/1", null],
    ["urn:ietf:wg:oauth:2.0:oob", null],
    ["not a uri", null],
    ["https://app.example; script-src *", null],
    ["https://*/cb", null],
    ["https://a;script-src/cb", null],
    ["https://'unsafe-inline'/cb", null],
  ])("sourceOf converts %s to the source %s", (redirectUri, expected) => {
    expect(sourceOf(redirectUri)).toBe(expected);
  });
});

describe("the function redirectUriIn", () => {
  it("redirectUriIn finds the redirect URI in a return path", () => {
    const query = new URLSearchParams({ client_id: "1", redirect_uri: "https://app.example/cb" });
    expect(redirectUriIn(`/oauth/authorize?${query}`)).toBe("https://app.example/cb");
  });

  it.each(["/", "https://evil.example/?redirect_uri=https://evil.example/", "//[", ""])(
    "redirectUriIn finds no redirect URI in %s",
    (returnTo) => {
      expect(redirectUriIn(returnTo)).toBeNull();
    },
  );
});

describe("the content security policy of a page", () => {
  it("the policy of a page allows no inline script, no frame and no form target on another origin", () => {
    const policy = contentSecurityPolicy({ nonce: "abc" });
    expect(policy).toContain("script-src 'self' 'nonce-abc' 'strict-dynamic';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toMatch(/form-action 'self'$/);
    expect(policy).not.toContain("unsafe");
  });
});

describe("the content security policy of a static page", () => {
  it("the policy of a static page allows no script, no frame and no form target on another origin", () => {
    expect(staticPageSecurityPolicy({})).toBe(
      "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
  });

  it("a redirect URI cannot add directives to the content security policy", () => {
    const policy = staticPageSecurityPolicy({ formTarget: "https://app.example/;script-src *" });
    expect(policy).toContain("form-action 'self' https://app.example; base-uri 'none';");
    expect(policy).not.toContain("script-src");
    expect(staticPageSecurityPolicy({ formTarget: "https://a;script-src/cb" })).toContain(
      "form-action 'self';",
    );
  });
});
