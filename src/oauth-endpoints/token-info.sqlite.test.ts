import * as route from "@app/oauth/token/info/route.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { changeSettings } from "@/instance/settings/service.ts";
import { digest, newToken } from "@/kernel/crypto/token.ts";
import { provideDeps } from "@/kernel/deps/deps.ts";
import {
  type Client,
  refusal,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { observedPrepared } from "@/testing/prepared.ts";
import { bearer, grantedTokens, refreshOf, tokenInfo } from "@/testing/tokens.ts";

const deps = await openTestDeps();

let ann: SignedInUser;
let client: Client;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  client = await registeredClient(deps, ann.user, { scopes: ["read_user", "profile", "openid"] });
});

beforeEach(async () => {
  await deps.db.setting.deleteMany();
});

const granted = async (scope = "read_user"): Promise<string> =>
  (await grantedTokens(deps, ann, client, { scope })).access;

const now = (): number => Math.floor(deps.clock().getTime() / 1000);

describe("GET /oauth/token/info", () => {
  it(
    conformance("XC-01", "the token information endpoint accepts only GET requests and preflight requests"),
    () => {
      expect(Object.keys(route).toSorted()).toEqual(["GET", "OPTIONS"]);
    },
  );

  it(
    conformance(
      "TI-01",
      "only a successful response of the token information endpoint has headers about the deprecated members",
    ),
    async () => {
      const { headers } = await tokenInfo(bearer(await granted()));
      expect(headers.get("deprecation")).toBe(`@${Date.parse("2026-11-21T00:00:00Z") / 1000}`);
      expect(headers.get("link")).toBe(
        `<${deps.config.issuer}/help/api#token-info-members>; rel="deprecation"; type="text/html"`,
      );
      const refused = await tokenInfo(bearer("unknown"));
      expect([refused.status, refused.headers.get("deprecation")]).toEqual([401, null]);
    },
  );

  it(
    conformance(
      "TI-01",
      "TI-02",
      "TI-03",
      "the token information endpoint returns exactly the specified members for a token in the header or in the query",
    ),
    async () => {
      const access = await granted("profile read_user");
      const createdAt = now();
      deps.advance(100.5);
      const expected = {
        resource_owner_id: ann.user.id,
        scope: ["profile", "read_user"],
        expires_in: 7099,
        application: { uid: client.id },
        created_at: createdAt,
        scopes: ["profile", "read_user"],
        expires_in_seconds: 7099,
      };
      for (const response of [
        await tokenInfo(bearer(access)),
        await tokenInfo({ authorization: `bearer ${access}` }),
        await tokenInfo({ authorization: `BEARER   ${access} ` }),
        await tokenInfo({}, { access_token: access }),
        await tokenInfo(bearer(access), { access_token: access }),
      ]) {
        expect(response.status).toBe(200);
        expect(response.body).toEqual(expected);
      }
    },
  );

  it.each<[string, () => Promise<string>]>([
    ["unknown", async () => newToken(deps.randomBytes, "access")],
    ["not in the format of Gatehouse", async () => "é"],
    ["a refresh token", async () => (await grantedTokens(deps, ann, client)).refresh],
    [
      "rotated",
      async () => {
        const { access, refresh } = await grantedTokens(deps, ann, client);
        await requestToken(refreshOf(client, refresh));
        return access;
      },
    ],
    [
      "expired",
      async () => {
        const access = await granted();
        deps.advance(7200);
        return access;
      },
    ],
    [
      "of a blocked user",
      async () => {
        const name = `blocked${now()}`;
        const user = await signedInUser(deps, name);
        const { access } = await grantedTokens(deps, user, client);
        await deps.db.user.update({ where: { id: user.user.id }, data: { state: "blocked" } });
        return access;
      },
    ],
  ])(
    conformance("TI-04", "AT-28", "AT-48", "the token information endpoint refuses a token that is %s"),
    async (_what, make) => {
      const { status, headers, body } = await tokenInfo({}, { access_token: await make() });
      expect({ status, body }).toEqual({
        status: 401,
        body: {
          error: "invalid_token",
          error_description: "The access token is invalid",
          state: "unauthorized",
        },
      });
      expect(headers.get("www-authenticate")).toBe(
        'Bearer realm="Gatehouse", error="invalid_token", error_description="The access token is invalid"',
      );
    },
  );

  it(conformance("TI-04", "the token information endpoint requires a token"), async () => {
    for (const headers of [{}, { authorization: "Bearer " }, { authorization: "Basic Og==" }]) {
      const response = await tokenInfo(headers as Record<string, string>, { access_token: "" });
      expect(response).toMatchObject({ status: 401, body: { error: "invalid_token" } });
      expect(response.headers.get("www-authenticate")).toBe('Bearer realm="Gatehouse"');
    }
  });

  it(
    conformance("TI-05", "the token information endpoint refuses two different tokens in one request"),
    async () => {
      const [first, second] = [await granted(), await granted()];
      expect(await tokenInfo(bearer(first), { access_token: second })).toMatchObject(
        refusal("invalid_request"),
      );
    },
  );

  it.each(["openid", "profile"])(
    conformance("TI-07", "the token information endpoint accepts a token with any scope, such as %s"),
    async (scope) => {
      expect((await tokenInfo(bearer(await granted(scope)))).body["scope"]).toEqual([scope]);
    },
  );

  it(
    conformance(
      "TI-06",
      "TI-08",
      "the token information endpoint returns no uid for a token without a client, and null as the lifetime of a token that never expires",
    ),
    async () => {
      const access = newToken(deps.randomBytes, "access");
      const grant = { userId: ann.user.id, scopes: "api", createdAt: deps.clock() };
      const family = await deps.db.tokenFamily.create({
        data: { ...grant, grantType: "password", rotations: 0 },
      });
      await deps.db.oauthToken.create({
        data: { ...grant, familyId: family.id, accessDigest: digest(access) },
      });
      expect((await tokenInfo(bearer(access))).body).toMatchObject({
        application: { uid: null },
        expires_in: null,
        expires_in_seconds: null,
      });
      await changeSettings(deps, { oauth_access_token_expires_in: "0" });
      const endless = await granted();
      deps.advance(86_400);
      expect((await tokenInfo(bearer(endless))).body).toMatchObject({ expires_in: null });
    },
  );

  it(
    conformance(
      "CO-04",
      "the token information endpoint accepts requests from pages of other origins, which may read every response",
    ),
    async () => {
      const headers = { origin: "https://spa.example", "access-control-request-headers": "authorization" };
      const preflight = route.OPTIONS(new Request("http://localhost/", { method: "OPTIONS", headers }));
      expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
      expect(preflight.headers.get("access-control-allow-methods")).toBe("GET, HEAD, OPTIONS");
      for (const response of [await tokenInfo({}), await tokenInfo(bearer(await granted()))])
        expect(response.headers.get("access-control-allow-origin")).toBe("*");
    },
  );

  it("the token information endpoint runs one prepared statement and no other query", async () => {
    const access = await granted();
    const used: string[] = [];
    const never = () => {
      throw new Error("The request used another query.");
    };
    provideDeps({
      ...deps,
      prepared: observedPrepared(deps.prepared, (name) => used.push(name)),
      get db(): never {
        return never();
      },
      transaction: never,
    });
    expect((await tokenInfo(bearer(access))).status).toBe(200);
    provideDeps(deps);
    expect(used).toEqual(["bearer"]);
  });
});
