import { expect, it } from "vitest";
import { isSecurityEvent } from "./audit-rules.ts";

it.each([
  "sign_in.failed",
  "provider_sign_in.refused",
  "token.family_revoked",
  "consent.withdrawn",
  "application.registered",
  "application.secret_added",
  "personal_token.created",
] as const)("webhooks for security events receive the audit event %s", (name) => {
  expect(isSecurityEvent(name)).toBe(true);
});

it("webhooks for security events do not receive the change of a logo", () => {
  expect(isSecurityEvent("application.logo_changed")).toBe(false);
});
