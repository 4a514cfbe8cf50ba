import { describe, expect, it } from "vitest";
import { contentSecurityPolicy, staticPageSecurityPolicy } from "./content-security-policy.ts";

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

  it("the policy of a page whose form leads to a client has no form-action, which would apply to redirects of the client", () => {
    expect(staticPageSecurityPolicy({ formLeaves: true })).toBe(
      "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
  });
});
