import { GET as getKeys } from "@app/oauth/discovery/keys/route.ts";
import { POST as postPar } from "@app/oauth/par/route.ts";
import { GET as getUserinfo } from "@app/oauth/userinfo/route.ts";
import { createLocalJWKSet, jwtVerify } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import { ACR_VALUES } from "@/identity/sessions/authentication-methods.ts";
import { requestOptions } from "@/identity/two-factor/passkey.ts";
import {
  authorizationQuery,
  authorize,
  type Client,
  decide,
  encoded,
  exchangeOf,
  type Fields,
  formPost,
  ORIGIN,
  redirectParameters,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInCookie,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { openIdClient, tokensFor, verified } from "@/testing/open-id.ts";
import { addedPasskey, enrolledApp, postForm, sessionIn, signInWithCode } from "@/testing/second-factor.ts";
import { claimsOf as claimsFrom, pageOf, userWithClient } from "@/testing/step-up.ts";
import { introspect } from "@/testing/tokens.ts";

const deps = await openTestDeps();
const [SINGLE, MULTI, PHR] = ACR_VALUES;

let ann: SignedInUser;
let client: Client;
let users = 0;

beforeEach(async () => {
  users += 1;
  deps.advance(3_600);
  ({ user: ann, client } = await userWithClient(deps, `ann${users}`));
});

const queryOf = (changes: Fields = {}): Fields =>
  authorizationQuery(client, { scope: "openid", nonce: "n", ...changes });
const claimsOf = (response: Response) => claimsFrom(deps, client, response);
const seconds = () => Math.floor(deps.clock().getTime() / 1000);

const signedInWith = (code: string): Promise<SignedInUser> => signInWithCode(ann, code);

describe("the authentication of the user", () => {
  it(
    conformance("SU-01", "the ID token describes the authentication of the user after each kind of sign-in"),
    async () => {
      const described = async (user: SignedInUser) => {
        const { payload } = await claimsOf(await authorize(queryOf(), user));
        return [payload["acr"], payload["amr"], payload["auth_time"]];
      };
      expect(await described(ann)).toEqual([SINGLE, ["pwd"], seconds()]);
      const app = await enrolledApp(deps, ann.user);
      deps.advance(60);
      expect(await described(await signedInWith(app.code()))).toEqual([
        MULTI,
        ["pwd", "otp", "mfa"],
        seconds(),
      ]);
      deps.advance(60);
      expect(await described(await signedInWith(app.recoveryCodes[0] ?? ""))).toEqual([
        MULTI,
        ["pwd", "mfa"],
        seconds(),
      ]);
      const passkey = await addedPasskey(deps, ann.user);
      const credential = passkey.get(await requestOptions(deps, "sign_in", null));
      const alone = { ...ann, cookie: sessionIn(await postForm({ intent: "passkey", credential })) };
      expect(await described(alone)).toEqual([PHR, ["pop", "user", "mfa"], seconds()]);
    },
  );

  it(
    conformance(
      "SU-01",
      "an ID token has no claims about the authentication if an earlier version of Gatehouse created the session",
    ),
    async () => {
      await deps.db.session.updateMany({ data: { methods: null } });
      const { payload } = await claimsOf(await authorize(queryOf(), ann));
      expect(payload).not.toHaveProperty("acr");
      expect(payload).not.toHaveProperty("amr");
      expect(payload).toHaveProperty("auth_time");
    },
  );

  it(
    conformance(
      "SU-01",
      "SU-02",
      "JWT access tokens and introspection describe the authentication of the user, also after a refresh",
    ),
    async () => {
      client = await openIdClient(deps, ann.user);
      await deps.db.application.update({ where: { uid: client.id }, data: { accessTokenFormat: "jwt" } });
      const signedInAt = seconds();
      const first = await tokensFor(deps, ann, client);
      deps.advance(300);
      const credentials = { client_id: client.id, client_secret: client.secret };
      const refreshed = await requestToken({
        ...{ grant_type: "refresh_token", refresh_token: String(first["refresh_token"]) },
        ...credentials,
      });
      const keys = createLocalJWKSet(await (await getKeys(new Request(ORIGIN))).json());
      for (const { access_token, id_token } of [first, refreshed.body]) {
        const { payload } = await jwtVerify(String(access_token), keys, {
          ...{ currentDate: deps.clock(), typ: "at+jwt" },
        });
        expect(payload).toMatchObject({ acr: SINGLE, amr: ["pwd"], auth_time: signedInAt });
        if (access_token === first["access_token"]) continue;
        expect((await verified(deps, id_token, client)).payload).toMatchObject({
          ...{ acr: SINGLE, amr: ["pwd"], auth_time: signedInAt },
        });
        expect((await introspect({ ...credentials, token: String(access_token) })).body).toMatchObject({
          ...{ active: true, acr: SINGLE, auth_time: signedInAt },
        });
      }
    },
  );
});

describe("the parameter claims", () => {
  it.each([
    "",
    "{",
    "x",
    "null",
    "[]",
    '"userinfo"',
    '{"userinfo":[]}',
    '{"userinfo":null}',
    '{"id_token":{"acr":true}}',
    '{"id_token":{"acr":{"essential":"true"}}}',
    '{"id_token":{"acr":{"values":"phr"}}}',
    // A claim request may contain `value` or `values`, but not both.
    '{"id_token":{"sub":{"value":"6","values":[]}}}',
    '{"id_token":{"sub":{"value":"6","values":["6"]}}}',
    '{"id_token":{"acr":{"essential":true,"values":[]}}}',
    `{"userinfo":{"${"x".repeat(4_100)}":null}}`,
  ])(
    conformance(
      "SU-07",
      "a malformed claims parameter is refused, with and without a pushed authorization request: %s",
    ),
    async (claims) => {
      if (claims === "") return expectCode(await authorize(queryOf({ claims }), ann));
      expect(redirectParameters(await authorize(queryOf({ claims }), ann))).toMatchObject({
        error: "invalid_request",
      });
      const body = encoded(queryOf({ claims, client_secret: client.secret }));
      const pushed = await postPar(formPost("/oauth/par", body));
      expect([pushed.status, await pushed.json()]).toMatchObject([400, { error: "invalid_request" }]);
    },
  );

  /** Expects a redirect with an authorization code. */
  const expectCode = (response: Response) => expect(redirectParameters(response)).toHaveProperty("code");

  it(
    conformance("SU-08", "unknown members, claims and values in the claims parameter have no effect"),
    async () => {
      const claims = JSON.stringify({
        id_token: {
          ...{ auth_time: { essential: true }, "http://example.com/x": { value: { a: [1] } } },
          ...{ constructor: null, __proto__: null, email: { essential: true, other: 1 } },
        },
        userinfo: { name: { essential: true }, locale: null },
        verified_claims: [[[[]]]],
      });
      const noEmail = await registeredClient(deps, ann.user, { scopes: ["openid"] });
      const query = authorizationQuery(noEmail, { scope: "openid", claims });
      const { code = "" } = redirectParameters(await decide(deps, ann, query));
      const { status, body } = await requestToken(exchangeOf(noEmail, code));
      expect({ status, scope: body["scope"] }).toEqual({ status: 200, scope: "openid" });
      const headers = { authorization: `Bearer ${body["access_token"]}` };
      const userinfo = await (await getUserinfo(new Request(`${ORIGIN}/oauth/userinfo`, { headers }))).json();
      expect(userinfo).toMatchObject({ name: ann.user.name });
      expect(userinfo).not.toHaveProperty("email");
    },
  );

  it(
    conformance(
      "SU-08",
      "the claims parameter can request the e-mail claims if the user has consented to the scope email",
    ),
    async () => {
      const claims = JSON.stringify({ userinfo: { email: { essential: true } } });
      const query = queryOf({ claims });
      expect(pageOf(await authorize(query, ann))).toMatchObject({ path: "/oauth/consent" });
      expect(redirectParameters(await authorize({ ...query, prompt: "none" }, ann))).toMatchObject({
        error: "consent_required",
      });
      const { body, payload } = await claimsOf(await decide(deps, ann, query));
      expect(String(body["scope"]).split(" ").toSorted()).toEqual(["email", "openid"]);
      expect(payload["email"]).toBe(ann.user.email);
      const withoutOpenId = queryOf({ claims, scope: "read_user" });
      const { code = "" } = redirectParameters(await authorize(withoutOpenId, ann));
      expect((await requestToken(exchangeOf(client, code))).body["scope"]).toBe("read_user");
    },
  );

  it(
    conformance(
      "SU-09",
      "an authorization request whose claims parameter requests a value of sub succeeds only for the user with this value",
    ),
    async () => {
      const claimsFor = (id: number) => JSON.stringify({ id_token: { sub: { value: String(id) } } });
      const bob = await signedInUser(deps, `bob${users}`);
      expect(
        redirectParameters(await authorize(queryOf({ claims: claimsFor(ann.user.id) }), ann)),
      ).toHaveProperty("code");
      const query = queryOf({ claims: claimsFor(bob.user.id) });
      expect(redirectParameters(await authorize({ ...query, prompt: "none" }, ann))).toMatchObject({
        error: "login_required",
      });
      const page = pageOf(await authorize(query, ann));
      expect(page).toMatchObject({ path: "/users/sign_in", again: "1" });
      const back = page?.["return_to"] ?? "";
      deps.advance(5);
      const again = { ...ann, cookie: await signedInCookie(ann.user.username) };
      expect(redirectParameters(await authorize(back.slice(back.indexOf("?") + 1), again))).toMatchObject({
        error: "login_required",
      });
    },
  );
});
