// The modules of the OpenID Connect Config OP certification plan of the OpenID Foundation, with their names.
import type { ModuleName } from "../../scripts/conformance-catalog/certification-plans.mjs";
import { conformance } from "../../src/testing/conformance.ts";
import { expect, test } from "../fixtures.ts";

const module = (name: ModuleName<"OF-02">, sentence: string): string =>
  conformance("OF-02", `oidcc-config-certification-test-plan: ${name}: ${sentence}`);

test(
  module(
    "oidcc-discovery-endpoint-verification",
    "the metadata is complete, names endpoints of the issuer, and names public keys without private members",
  ),
  async ({ instance }) => {
    const response = await fetch(`${instance.baseUrl}/.well-known/openid-configuration`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("application/json");
    const metadata = await response.json();
    expect(metadata).toMatchObject({
      issuer: instance.baseUrl,
      response_types_supported: expect.arrayContaining(["code"]),
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: expect.arrayContaining(["RS256"]),
      scopes_supported: expect.arrayContaining(["openid"]),
      claims_supported: expect.arrayContaining(["sub", "iss", "name", "email", "acr", "amr", "auth_time"]),
      claims_parameter_supported: true,
      acr_values_supported: expect.arrayContaining(["phr"]),
      token_endpoint_auth_methods_supported: expect.arrayContaining([
        "client_secret_basic",
        "client_secret_post",
      ]),
    });
    for (const name of ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"])
      expect(new URL(metadata[name]).origin).toBe(new URL(instance.baseUrl).origin);
    for (const name of ["request_parameter_supported", "request_uri_parameter_supported"])
      expect(metadata[name]).toBe(false);
    expect(metadata.grant_types_supported).toContain("authorization_code");
    expect(metadata.code_challenge_methods_supported).toEqual(["S256"]);
    for (const scope of metadata.scopes_supported) expect(scope).toMatch(/^[!#-[\]-~]+$/);

    const { keys } = await (await fetch(metadata.jwks_uri)).json();
    expect(keys.length).toBeGreaterThan(0);
    expect(new Set(keys.map(({ kid }: { kid: string }) => kid)).size).toBe(keys.length);
    for (const key of keys) {
      expect(key).toMatchObject({
        kty: expect.not.stringMatching("oct"),
        use: "sig",
        alg: expect.any(String),
      });
      for (const secret of ["d", "p", "q", "dp", "dq", "qi", "k"]) expect(key).not.toHaveProperty(secret);
    }
  },
);
