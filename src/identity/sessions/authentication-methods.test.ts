import { describe, expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import {
  ACR_VALUES,
  type AuthenticationMethod,
  type AuthenticationMethods,
  acrOf,
  amrOf,
  includesAcr,
  methodsAfter,
  methodsFrom,
  missingAuthentication,
} from "./authentication-methods.ts";

const [SINGLE, MULTI, PHR] = ACR_VALUES;

describe("the authentication context of a session", () => {
  it.each<[AuthenticationMethods | null, string | null, readonly string[]]>([
    [["password"], SINGLE, ["pwd"]],
    [["provider"], SINGLE, []],
    [["dated_provider"], SINGLE, []],
    [["email_link"], SINGLE, []],
    [["totp"], SINGLE, ["otp"]],
    [["passkey"], SINGLE, ["pop", "user"]],
    [["email_link", "passkey"], SINGLE, ["pop", "user"]],
    [["password", "totp"], MULTI, ["pwd", "otp", "mfa"]],
    [["password", "recovery_code"], MULTI, ["pwd", "mfa"]],
    [["provider", "totp"], MULTI, ["otp", "mfa"]],
    [["dated_provider", "totp"], MULTI, ["otp", "mfa"]],
    [["password", "passkey"], PHR, ["pwd", "pop", "user", "mfa"]],
    [["verified_passkey"], PHR, ["pop", "user", "mfa"]],
    // The time of the authentication is the time of the last method, so a passkey that was used earlier
    // counts only as a first factor.
    [["verified_passkey", "totp"], MULTI, ["pop", "user", "otp", "mfa"]],
    [["verified_passkey", "recovery_code"], MULTI, ["pop", "user", "mfa"]],
    [["verified_passkey", "passkey"], MULTI, ["pop", "user", "mfa"]],
    [["totp", "verified_passkey"], PHR, ["otp", "pop", "user", "mfa"]],
    [["passkey", "totp"], SINGLE, ["pop", "user", "otp"]],
    [null, null, []],
  ])(
    conformance("SU-01", "the methods of a session determine its authentication context: %s"),
    (methods, acr, amr) => {
      expect(acrOf(methods)).toBe(acr);
      expect(amrOf(methods)).toEqual(amr);
    },
  );

  it("the authentication methods of a session are unknown if the session stores no methods or only unsupported methods", () => {
    for (const text of [null, "", "retina"]) expect(methodsFrom(text)).toBeNull();
    expect(methodsFrom("verified_passkey retina totp")).toEqual(["verified_passkey", "totp"]);
  });

  it("an unknown authentication context class includes no other class", () => {
    for (const acr of ACR_VALUES) expect(includesAcr(null, acr)).toBe(false);
    expect(includesAcr(PHR, MULTI)).toBe(true);
    expect(includesAcr(MULTI, PHR)).toBe(false);
  });
});

describe("a re-authentication", () => {
  it.each<[AuthenticationMethods | null, AuthenticationMethod, AuthenticationMethods]>([
    [["password"], "totp", ["password", "totp"]],
    [["password", "totp"], "passkey", ["password", "passkey"]],
    // The passkey was used before the last method, so the passkey must not determine the authentication
    // context class.
    [["password", "passkey"], "totp", ["password", "totp"]],
    [["verified_passkey"], "totp", ["verified_passkey", "totp"]],
    [["verified_passkey", "totp"], "recovery_code", ["verified_passkey", "recovery_code"]],
    [["verified_passkey", "totp"], "verified_passkey", ["verified_passkey"]],
    [["email_link", "passkey"], "totp", ["email_link", "totp"]],
    // The user has turned off two-factor authentication before the re-authentication.
    [["password", "totp"], "password", ["password"]],
    [["provider"], "provider", ["provider"]],
    [null, "totp", ["totp"]],
    [null, "verified_passkey", ["verified_passkey"]],
  ])(
    "after a session with the methods %s is re-authenticated by the method %s, the session has the methods %s",
    (before, method, after) => {
      expect(methodsAfter(before, method)).toEqual(after);
    },
  );
});

describe("missingAuthentication", () => {
  const NONE = { totp: false, passkeys: false };
  const APP = { totp: true, passkeys: false };
  const PASSKEY = { totp: false, passkeys: true };

  it.each<[string, string, AuthenticationMethods | null, typeof NONE]>([
    ["nothing", SINGLE, ["password"], NONE],
    ["nothing", MULTI, ["password", "totp"], NONE],
    ["nothing", SINGLE, ["verified_passkey"], NONE],
    ["second_factor", MULTI, ["password"], APP],
    ["second_factor", MULTI, ["provider"], PASSKEY],
    ["unattainable", MULTI, ["password"], NONE],
    ["passkey", PHR, ["password", "totp"], { totp: true, passkeys: true }],
    ["unattainable", PHR, ["password", "totp"], APP],
    ["sign_in", SINGLE, null, NONE],
    ["sign_in", MULTI, null, APP],
    ["sign_in", PHR, ["email_link", "passkey"], PASSKEY],
    ["unattainable", PHR, null, APP],
  ])(
    "missingAuthentication returns %j for the class %s if the session has the methods %s and the user has the second factors %o",
    (missing, wanted, methods, factors) => {
      const acr = ACR_VALUES.find((value) => value === wanted) ?? SINGLE;
      expect(missingAuthentication(acr, methods, factors)).toBe(missing);
    },
  );
});
