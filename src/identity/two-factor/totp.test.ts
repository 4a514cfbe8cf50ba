import { describe, expect, it } from "vitest";
import { looksLikeTotp, newTotpSecret, totpSetup, totpStep } from "./totp.ts";

/**
 * The secret of the test vectors in RFC 6238, appendix B. The tests use the last six of the eight digits of
 * each code.
 */
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const at = (seconds: number) => new Date(seconds * 1000);

describe("a TOTP code", () => {
  it.each([
    [59, "287082", 1],
    [1_111_111_109, "081804", 37_037_036],
    [1_234_567_890, "005924", 41_152_263],
    [2_000_000_000, "279037", 66_666_666],
  ])("the TOTP code at %i seconds after the Unix epoch has the value %s", (seconds, code, step) => {
    expect(totpStep(SECRET, code, at(seconds))).toBe(step);
    expect(totpStep(SECRET, ` ${code.slice(0, 3)} ${code.slice(3)} `, at(seconds))).toBe(step);
  });

  it("a TOTP code is accepted at most one time step early or late", () => {
    const steps = [29, 30 + 59, 59 - 30].map((seconds) => totpStep(SECRET, "287082", at(seconds)));
    expect(steps).toEqual([1, 1, 1]);
    for (const seconds of [90, 120, 3_600]) expect(totpStep(SECRET, "287082", at(seconds))).toBeNull();
  });

  it.each(["", "28708", "2870820", "28708a", "-87082", "2.7082", "٢٨٧٠٨٢"])(
    "the text %j is never accepted as a TOTP code",
    (typed) => {
      expect(totpStep(SECRET, typed, at(59))).toBeNull();
      expect(looksLikeTotp(typed)).toBe(false);
    },
  );
});

describe("the setup URI of an authenticator app", () => {
  const setup = totpSetup(SECRET, "id.example.com", "ann");

  it("the setup URI names the account in the format that authenticator apps read", () => {
    const uri = new URL(setup.uri);
    expect([uri.protocol, uri.host]).toEqual(["otpauth:", "totp"]);
    expect(decodeURIComponent(uri.pathname)).toBe("/Gatehouse id.example.com:ann");
    expect(uri.searchParams.get("secret")).toBe(SECRET);
    expect(setup.secret.replaceAll(" ", "")).toBe(SECRET);
  });

  it("the QR code of the setup URI draws only the dark modules", () => {
    expect(setup.qr.size).toBeGreaterThan(25);
    expect(setup.qr.path).toMatch(/^(M\d+ \d+h\d+v1h-\d+z)+$/);
  });

  it("each setup URI contains a different secret of 160 bits", () => {
    const bytes = (size: number) => crypto.getRandomValues(new Uint8Array(size));
    const secrets = new Set(Array.from({ length: 20 }, () => newTotpSecret(bytes)));
    expect(secrets.size).toBe(20);
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  });
});
