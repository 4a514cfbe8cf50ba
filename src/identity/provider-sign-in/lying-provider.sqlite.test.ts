import { exportSPKI, importJWK } from "jose";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import {
  finishProviderRequest,
  forgedJwt,
  hmacOf,
  openProvider,
  responseOf,
  signInAt,
  startProviderRequest,
  useProviders,
} from "@/testing/identity-provider.ts";
import { sessionIn } from "@/testing/second-factor.ts";
import { fetchWithin } from "./bounded-fetch.ts";

const deps = await openTestDeps();
const provider = await openProvider(() => deps.clock());
const other = await openProvider(() => deps.clock());
afterAll(() => Promise.all([provider.close(), other.close()]));

beforeEach(() => {
  provider.reset();
  other.reset();
  useProviders(deps, [provider.settings(), other.settings({ name: "other", label: "Other" })]);
  // The test clock advances by 600 seconds, so that the metadata that an earlier test cached has expired.
  deps.advance(600);
});

const locationOf = (response: Response): string => response.headers.get("location") ?? "";
const isSignedIn = (response: Response): boolean => sessionIn(response) !== "";

const expectRefused = async (response: Response, problem = "invalid") => {
  expect([response.status, isSignedIn(response)]).toEqual([303, false]);
  expect(locationOf(response)).toContain(`/users/sign_in?problem=${problem}&provider=corp&return_to=%2Fback`);
};

describe("an ID token", () => {
  it.each<[string, Record<string, unknown>]>([
    ["of another issuer", { iss: "https://evil.example" }],
    ["for another client", { aud: "another-client" }],
    ["for several clients without azp", { aud: ["gatehouse", "another-client"] }],
    ["with another nonce", { nonce: "x".repeat(43) }],
    ["without a nonce", { nonce: undefined }],
    ["that has expired", { exp: 1 }],
    ["that was issued in the future", { iat: 4_102_444_800, nbf: 4_102_444_800 }],
    ["without a subject", { sub: undefined }],
    ["with a subject of 300 characters", { sub: "s".repeat(300) }],
  ])(conformance("SP-01", "an ID token %s is refused"), async (_what, idToken) => {
    provider.behavior.idToken = idToken;
    await expectRefused(await signInAt(provider));
    expect(await deps.db.user.count()).toBe(0);
  });

  it(conformance("SP-01", "an ID token without a signature (alg none) is refused"), async () => {
    provider.behavior.metadata = { id_token_signing_alg_values_supported: ["none", "RS256"] };
    provider.behavior.sign = (claims) => forgedJwt({ alg: "none" }, claims, () => "");
    await expectRefused(await signInAt(provider));
  });

  it(
    conformance(
      "SP-01",
      "an ID token is refused if its signature uses the public key or the client secret as an HMAC key",
    ),
    async () => {
      provider.behavior.metadata = { id_token_signing_alg_values_supported: ["RS256", "HS256"] };
      const [jwk] = provider.behavior.keys;
      const spki = await exportSPKI((await importJWK(jwk ?? {}, "RS256")) as CryptoKey);
      for (const secret of [spki, "the secret of the client"]) {
        provider.behavior.sign = (claims) =>
          forgedJwt({ alg: "HS256", kid: jwk?.kid }, claims, hmacOf(secret));
        await expectRefused(await signInAt(provider));
      }
    },
  );

  it(conformance("SP-01", "an ID token that another provider signed is refused"), async () => {
    provider.behavior.sign = (claims) => other.behavior.sign(claims);
    await expectRefused(await signInAt(provider));
  });

  it(conformance("SP-01", "a token response without an ID token is refused"), async () => {
    const body = JSON.stringify({ access_token: "at", token_type: "bearer" });
    provider.behavior.answers = { "/token": { body } };
    await expectRefused(await signInAt(provider));
  });
});

it(
  conformance(
    "SP-02",
    "after the provider has rotated the signing key, the new key is accepted, and the previous key is refused",
  ),
  async () => {
    expect(isSignedIn(await signInAt(provider))).toBe(true);
    await provider.rotateKey();
    const renewed = provider.behavior.sign;
    provider.behavior.sign = (claims) => renewed(claims);
    expect(isSignedIn(await signInAt(provider))).toBe(true);
    const [published] = provider.behavior.keys;
    provider.behavior.keys = [];
    await expectRefused(await signInAt(provider));
    provider.behavior.keys = published === undefined ? [] : [published];
  },
);

describe("an authorization response", () => {
  it(
    conformance(
      "SP-03",
      "an authorization response is refused if the parameter iss is missing or names another provider",
    ),
    async () => {
      for (const iss of [undefined, other.issuer]) {
        const providerRequest = await startProviderRequest("corp");
        const response = await responseOf(provider, providerRequest);
        await expectRefused(
          await finishProviderRequest("corp", { ...response, iss }, providerRequest.cookie),
        );
      }
    },
  );

  it(
    conformance("SP-03", "an authorization response is refused at the redirect URI of another provider"),
    async () => {
      const providerRequest = await startProviderRequest("corp");
      const response = await finishProviderRequest(
        "other",
        await responseOf(provider, providerRequest),
        providerRequest.cookie,
      );
      expect(isSignedIn(response)).toBe(false);
      expect(locationOf(response)).toContain("problem=invalid&provider=other");
      expect(other.requests.get("/token")).toBeUndefined();
    },
  );

  it(
    conformance(
      "SP-04",
      "an authorization response is refused in another browser, and is still accepted in the browser that started the sign-in",
    ),
    async () => {
      const providerRequest = await startProviderRequest("corp");
      const response = await responseOf(provider, providerRequest);
      const stranger = await startProviderRequest("corp");
      for (const cookie of ["", stranger.cookie, "gatehouse_provider_browser=x"]) {
        const refused = await finishProviderRequest("corp", response, cookie);
        expect([locationOf(refused), isSignedIn(refused)]).toEqual([
          "http://localhost:3000/users/sign_in?problem=expired&return_to=%2F",
          false,
        ]);
      }
      expect(isSignedIn(await finishProviderRequest("corp", response, providerRequest.cookie))).toBe(true);
    },
  );

  it(
    conformance(
      "SP-04",
      "an authorization response is refused when it is sent a second time, with the same or with another authorization code",
    ),
    async () => {
      const providerRequest = await startProviderRequest("corp");
      const first = await responseOf(provider, providerRequest);
      const second = await responseOf(provider, providerRequest);
      const outcomes = await Promise.all(
        [first, first, second].map((response) =>
          finishProviderRequest("corp", response, providerRequest.cookie),
        ),
      );
      expect(outcomes.filter(isSignedIn)).toHaveLength(1);
      expect(isSignedIn(await finishProviderRequest("corp", first, providerRequest.cookie))).toBe(false);
    },
  );

  it.each<[string, Record<string, string | undefined>]>([
    ["another state", { state: "x".repeat(43) }],
    ["no state", { state: undefined }],
  ])(conformance("SP-04", "an authorization response with %s is refused"), async (_what, changes) => {
    const exchanges = provider.requests.get("/token");
    const providerRequest = await startProviderRequest("corp");
    const response = await finishProviderRequest(
      "corp",
      { ...(await responseOf(provider, providerRequest)), ...changes },
      providerRequest.cookie,
    );
    expect([locationOf(response).includes("problem=expired"), isSignedIn(response)]).toEqual([true, false]);
    expect(provider.requests.get("/token")).toBe(exchanges);
  });

  it(
    conformance("SP-04", "an authorization response is refused an hour after the authorization request"),
    async () => {
      const providerRequest = await startProviderRequest("corp");
      const response = await responseOf(provider, providerRequest);
      deps.advance(3_601);
      expect(isSignedIn(await finishProviderRequest("corp", response, providerRequest.cookie))).toBe(false);
    },
  );

  it(
    conformance(
      "SP-05",
      "an authorization response with the authorization code of another sign-in is refused, because the code verifier does not match",
    ),
    async () => {
      const [mine, stolen] = [await startProviderRequest("corp"), await startProviderRequest("corp")];
      const { code } = await responseOf(provider, stolen);
      const response = { ...(await responseOf(provider, mine)), code };
      await expectRefused(await finishProviderRequest("corp", response, mine.cookie));
    },
  );

  it("an authorization response with an error is refused, and the message says whether the user canceled the sign-in", async () => {
    for (const [error, problem] of [
      ["access_denied", "denied"],
      ["<script>", "invalid"],
    ] as const) {
      const providerRequest = await startProviderRequest("corp");
      const { state, iss } = await responseOf(provider, providerRequest);
      await expectRefused(
        await finishProviderRequest("corp", { error, state, iss }, providerRequest.cookie),
        problem,
      );
    }
  });

  it("the log contains neither the authorization code nor the tokens of a refused authorization response", async () => {
    provider.behavior.idToken = { aud: "another-client" };
    const providerRequest = await startProviderRequest("corp");
    const response = await responseOf(provider, providerRequest);
    await finishProviderRequest("corp", response, providerRequest.cookie);
    const log = JSON.stringify(deps.logged);
    expect(log).toContain("provider_sign_in.refused");
    for (const secret of [response["code"], response["state"], "the secret of the client", "eyJ"])
      expect(log).not.toContain(secret);
  });
});

describe("several tabs of a browser", () => {
  it("several tabs of a browser can sign in simultaneously", async () => {
    const first = await startProviderRequest("corp", { return_to: "/first" });
    const second = await startProviderRequest("corp", { return_to: "/second" }, first.cookie);
    const responses = [await responseOf(provider, first), await responseOf(provider, second)];
    const [one, two] = await Promise.all(
      responses.map((response) => finishProviderRequest("corp", response, first.cookie)),
    );
    expect([one, two].map((response) => response && locationOf(response))).toEqual([
      "http://localhost:3000/first",
      "http://localhost:3000/second",
    ]);
  });
});

describe("the requests to a provider", () => {
  it("a request to a provider fails if the metadata names an issuer other than the configured issuer", async () => {
    provider.behavior.metadata = { issuer: other.issuer };
    const { response } = await startProviderRequest("corp");
    expect(locationOf(response)).toContain("problem=invalid&provider=corp");
  });

  it("a sign-in is refused if the authorization endpoint of the provider is not an http or https URL", async () => {
    provider.behavior.metadata = { authorization_endpoint: "javascript:alert(1)" };
    const { response } = await startProviderRequest("corp");
    expect(locationOf(response)).toContain("problem=invalid&provider=corp");
  });

  it("a request to a provider fails if the response is too large, a redirect or HTML, or if the server does not respond", async () => {
    const answers = [
      { body: `"${"x".repeat(600_000)}"` },
      { status: 302, body: "" },
      { body: "<!doctype html>", type: "text/html" },
      { status: 500, body: "" },
    ];
    for (const answer of answers)
      for (const path of ["/.well-known/openid-configuration", "/token", "/jwks"]) {
        deps.advance(600);
        provider.reset();
        provider.behavior.answers = { [path]: answer };
        const providerRequest = await startProviderRequest("corp");
        const response =
          path === "/token" || path === "/jwks"
            ? await finishProviderRequest(
                "corp",
                await responseOf(provider, providerRequest),
                providerRequest.cookie,
              )
            : providerRequest.response;
        expect([path, isSignedIn(response), locationOf(response).includes("provider=corp")]).toEqual([
          path,
          false,
          true,
        ]);
      }
    useProviders(deps, [provider.settings({ issuer: "http://127.0.0.1:9" })]);
    expect(locationOf((await startProviderRequest("corp")).response)).toContain(
      "problem=unavailable&provider=corp",
    );
  });

  it("a request to a provider is aborted when the response is too slow, even if the response has begun", async () => {
    provider.behavior.answers = {
      "/begun": (_request, response) => void response.write("{"),
      "/silent": () => undefined,
    };
    for (const path of ["/begun", "/silent"])
      await expect(
        fetchWithin(50)(provider.issuer + path, {
          method: "GET",
          headers: {},
          redirect: "manual",
          body: null,
        }),
      ).rejects.toThrow("No response within 50 ms");
  });

  it("each authorization request contains a new PKCE challenge (S256), a new state and a new nonce", async () => {
    const [first, second] = [await startProviderRequest("corp"), await startProviderRequest("corp")];
    for (const name of ["code_challenge", "state", "nonce"]) {
      const values = [first, second].map(({ url }) => url.searchParams.get(name) ?? "");
      expect(values[0]).toMatch(/^[\w-]{43}$/);
      expect(values[0]).not.toBe(values[1]);
    }
    expect(Object.fromEntries(first.url.searchParams)).toMatchObject({
      code_challenge_method: "S256",
      response_type: "code",
      redirect_uri: "http://localhost:3000/users/auth/corp/callback",
      scope: "openid email profile",
    });
  });
});
