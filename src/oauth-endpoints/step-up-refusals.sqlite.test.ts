import { beforeEach, describe, expect, it } from "vitest";
import { ACR_VALUES } from "@/identity/sessions/authentication-methods.ts";
import { sessionOf } from "@/identity/sessions/service.ts";
import { safeReturnPath } from "@/identity/sessions/sign-in-path.ts";
import { requestOptions } from "@/identity/two-factor/passkey.ts";
import { changeSettings } from "@/instance/settings/service.ts";
import { setResourceServer } from "@/oauth/applications/administration.ts";
import { readAuthorizationRequest } from "@/oauth/authorizations/authorization-request.ts";
import { readConsent } from "@/oauth/authorizations/consent.ts";
import { setIdentifiers } from "@/oauth/resource-servers/service.ts";
import type { Authenticator } from "@/testing/authenticator.ts";
import {
  authorizationQuery,
  authorize,
  type Client,
  decide,
  type Fields,
  redirectParameters,
  registeredClient,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { openIdClient } from "@/testing/open-id.ts";
import { addedPasskey, enrolledApp, postForm, sessionIn } from "@/testing/second-factor.ts";
import {
  claimsOf as claimsFrom,
  confirmWith as confirmAs,
  declinedQuery as declinedQueryOf,
  essentialAcr,
  pageOf,
  passkeyResponse,
  userWithClient,
} from "@/testing/step-up.ts";

const deps = await openTestDeps();
const [, MULTI, PHR] = ACR_VALUES;
const RESOURCE = "https://wiki.example/api";
const error = "unmet_authentication_requirements";
const DAY = 86_400;

let ann: SignedInUser;
let client: Client;
let users = 0;

beforeEach(async () => {
  users += 1;
  deps.advance(3_600);
  await changeSettings(deps, { require_two_factor_authentication: "false", two_factor_grace_period: "48" });
  ({ user: ann, client } = await userWithClient(deps, `ann${users}`));
});

const queryOf = (changes: Fields = {}): Fields =>
  authorizationQuery(client, { scope: "openid", nonce: "n", ...changes });
const claimsOf = (response: Response) => claimsFrom(deps, client, response);
const seconds = () => Math.floor(deps.clock().getTime() / 1000);
const declinedQuery = (back: string): Promise<string> => declinedQueryOf(deps, ann.cookie, back);
const outcome = async (query: Fields | string, user = ann) =>
  redirectParameters(await authorize(query, user));

/** Re-authenticates with a second factor, by posting the form of a step-up page. */
async function confirmWith(fields: Fields, user = ann): Promise<void> {
  const response = await confirmAs(deps, user, fields, "/back");
  expect(response.headers.get("location")).toMatch(/\/back$/);
}

const confirmWithPasskey = async (passkey: Authenticator, verified: boolean, user = ann): Promise<void> =>
  confirmWith({ credential: await passkeyResponse(deps, user, passkey, verified) }, user);

describe("the class of a session that a passkey opened", () => {
  let app: Awaited<ReturnType<typeof enrolledApp>>;
  let passkey: Authenticator;
  let alone: SignedInUser;

  beforeEach(async () => {
    app = await enrolledApp(deps, ann.user);
    passkey = await addedPasskey(deps, ann.user);
    deps.advance(60);
    const credential = passkey.get(await requestOptions(deps, "sign_in", null));
    alone = { ...ann, cookie: sessionIn(await postForm({ intent: "passkey", credential })) };
  });

  const claims = async () => (await claimsOf(await authorize(queryOf(), alone))).payload;

  it.each<[string, () => Promise<void>]>([
    ["a code", () => confirmWith({ code: app.code() }, alone)],
    ["a recovery code", () => confirmWith({ code: app.recoveryCodes[0] }, alone)],
    ["a passkey that does not verify the user", () => confirmWithPasskey(passkey, false, alone)],
  ])(
    conformance(
      "SU-01",
      "SU-10",
      "a session that a passkey opened has the multi-factor class after a re-authentication with %s",
    ),
    async (_what, confirmLater) => {
      expect(await claims()).toMatchObject({ acr: PHR });
      deps.advance(5 * DAY);
      await confirmLater();
      expect(await claims()).toMatchObject({ acr: MULTI, auth_time: seconds() });
      const required = queryOf({ claims: essentialAcr({ value: PHR }), max_age: "60" });
      expect(pageOf(await authorize(required, alone))).not.toBeNull();
      await confirmWithPasskey(passkey, true, alone);
      expect(await claims()).toMatchObject({ acr: PHR, auth_time: seconds() });
    },
  );

  it(
    conformance(
      "SU-01",
      "a session whose authentication methods are unknown gets the multi-factor authentication class when the user enters a code of an authenticator app",
    ),
    async () => {
      await deps.db.session.updateMany({ where: { userId: ann.user.id }, data: { methods: null } });
      await confirmWithPasskey(passkey, true, alone);
      deps.advance(3 * DAY);
      await confirmWith({ code: app.code() }, alone);
      expect(await claims()).toMatchObject({ acr: MULTI, auth_time: seconds() });
    },
  );
});

describe("acr_values", () => {
  it(
    conformance(
      "SU-10",
      "after one user has declined a factor, the authorization request still asks for the factor if another user signs in",
    ),
    async () => {
      await enrolledApp(deps, ann.user);
      const back = pageOf(await authorize(queryOf({ acr_values: MULTI }), ann))?.["return_to"] ?? "";
      const declined = await declinedQuery(back);
      const bob = await signedInUser(deps, `bob${users}`);
      await enrolledApp(deps, bob.user);
      expect(pageOf(await authorize(declined, bob))).toMatchObject({
        path: "/users/confirm",
        return_to: back,
      });
      const request = readAuthorizationRequest(`${declined}&prompt=select_account`);
      const consent = await readConsent(deps, request, await sessionOf(deps, ann.cookie));
      expect(consent?.otherAccountAt).toContain("acr_values");
      expect(consent?.otherAccountAt).not.toContain("step_up_declined");
      const again = pageOf(await authorize(`${declined}&prompt=login`, ann));
      expect(again?.path).toBe("/users/sign_in");
      expect(again?.["return_to"]).not.toContain("step_up_declined");
    },
  );

  it.each<[string, Fields]>([
    ["for the API of this instance", { scope: "read_user" }],
    ["for a resource server", { resource: RESOURCE }],
    ["for JWT access tokens", { scope: "openid" }],
  ])(
    conformance("SU-03", "a request %s is refused if the user lacks or declines the requested factor"),
    async (what, changes) => {
      if ("resource" in changes) {
        const wiki = await registeredClient(deps, ann.user, { name: "Wiki", scopes: ["read_api"] });
        await setResourceServer(deps, ann.user, wiki.application.id, true);
        await setIdentifiers(deps, ann.user, wiki.application.id, RESOURCE);
        // Only users of a trusted application skip the consent for a resource server.
        await deps.db.application.update({ where: { uid: client.id }, data: { trusted: true } });
      }
      if (what.includes("JWT"))
        await deps.db.application.update({ where: { uid: client.id }, data: { accessTokenFormat: "jwt" } });
      const outcome = async (query: Fields | string) => redirectParameters(await authorize(query, ann));
      const error = "unmet_authentication_requirements";
      const query = queryOf({ ...changes, acr_values: `x ${MULTI}` });
      expect(await outcome(query)).toMatchObject({ error });
      expect(await outcome({ ...query, prompt: "none" })).toMatchObject({ error });
      // A resource server of this instance cannot require an unsupported authentication class.
      expect(await outcome(queryOf({ ...changes, acr_values: "x y" }))).toHaveProperty("code");
      await enrolledApp(deps, ann.user);
      expect(await outcome({ ...query, prompt: "none" })).toMatchObject({ error: "login_required" });
      const page = pageOf(await authorize(query, ann));
      expect(page).toMatchObject({ path: "/users/confirm", required: "1" });
      expect(await outcome(await declinedQuery(page?.["return_to"] ?? ""))).toMatchObject({ error });
    },
  );
});

describe("a client that the user has not allowed", () => {
  let other: Client;
  const request = (changes: Fields) => authorizationQuery(other, { scope: "openid", ...changes });

  beforeEach(async () => {
    other = await openIdClient(deps, (await signedInUser(deps, `dev${users}`)).user);
  });

  it(
    conformance(
      "SU-05",
      "a client without consent gets the same error for prompt=none, regardless of the factors that the user has",
    ),
    async () => {
      const expectNothing = async () => {
        for (const value of [...ACR_VALUES, "x"]) {
          const query = request({ prompt: "none", claims: essentialAcr({ value }) });
          expect(await outcome(query)).toMatchObject({ error: "consent_required" });
        }
      };
      await expectNothing();
      await enrolledApp(deps, ann.user);
      await expectNothing();
      await addedPasskey(deps, ann.user);
      await expectNothing();
    },
  );

  it(
    conformance(
      "SU-04",
      "a client gets the error about a missing factor only after the user has allowed access",
    ),
    async () => {
      const query = request({ claims: essentialAcr({ value: MULTI }) });
      expect(pageOf(await authorize(query, ann))).toMatchObject({ path: "/oauth/consent" });
      expect(redirectParameters(await decide(deps, ann, query, { decision: "deny" }))).toMatchObject({
        error: "access_denied",
      });
      expect(redirectParameters(await decide(deps, ann, query))).toMatchObject({ error, state: "xyz" });
      expect(await deps.db.consent.count({ where: { applicationId: other.application.id } })).toBe(0);
    },
  );

  it(
    conformance(
      "SU-04",
      "a client gets unmet_authentication_requirements immediately after the user has declined the required factor",
    ),
    async () => {
      await enrolledApp(deps, ann.user);
      const query = request({ claims: essentialAcr({ value: MULTI }) });
      const back = pageOf(await authorize(query, ann))?.["return_to"] ?? "";
      expect(await outcome(await declinedQuery(back))).toMatchObject({ error });
    },
  );

  it(
    conformance(
      "SU-10",
      "a client gets access_denied if the user denies access and has not entered the requested factor",
    ),
    async () => {
      await enrolledApp(deps, ann.user);
      const query = request({ acr_values: MULTI });
      expect(redirectParameters(await decide(deps, ann, query, { decision: "deny" }))).toMatchObject({
        error: "access_denied",
      });
    },
  );
});

it(
  conformance(
    "SU-04",
    "if the instance requires a second factor, the user sets up the factor before the client gets an error",
  ),
  async () => {
    await changeSettings(deps, { require_two_factor_authentication: "true", two_factor_grace_period: "0" });
    const query = queryOf({ claims: essentialAcr({ value: MULTI }) });
    const page = pageOf(await authorize(query, ann));
    expect(page?.path).toMatch(/two_factor/);
    await enrolledApp(deps, ann.user);
    expect(pageOf(await authorize(query, ann))).toMatchObject({ path: "/users/confirm", required: "1" });
  },
);

describe("the re-authentication before powerful scopes", () => {
  it(
    conformance(
      "SU-10",
      "before powerful scopes are granted, the re-authentication requires the passkey if another factor would not give the required authentication class",
    ),
    async () => {
      const api = await registeredClient(deps, ann.user, { scopes: ["openid", "api"] });
      await enrolledApp(deps, ann.user);
      const passkey = await addedPasskey(deps, ann.user);
      deps.advance(60);
      await confirmWithPasskey(passkey, true);
      deps.advance(3_600);
      const query = authorizationQuery(api, { scope: "openid api", claims: essentialAcr({ value: PHR }) });
      const weaker = { ...query, claims: essentialAcr({ values: [PHR, MULTI] }) };
      const anyFactor = pageOf(await decide(deps, ann, weaker));
      expect(anyFactor).toMatchObject({ path: "/users/confirm" });
      expect(anyFactor).not.toHaveProperty("factor");
      const page = pageOf(await decide(deps, ann, query));
      expect(page).toMatchObject({ path: "/users/confirm", factor: "passkey", required: "1" });
      expect(await outcome(await declinedQuery(page?.["return_to"] ?? ""))).toMatchObject({ error });
      await confirmWithPasskey(passkey, true);
      expect(redirectParameters(await decide(deps, ann, query))).toHaveProperty("code");
    },
  );
});

describe("a long request", () => {
  /** Returns the maximum length of a state whose characters are percent-encoded in the URL. */
  const longest = async (query: Fields) => {
    let [fits, fails] = [0, 16_384];
    while (fails - fits > 1) {
      const length = Math.floor((fits + fails) / 2);
      const response = await authorize({ ...query, state: "é".repeat(length) }, ann);
      if (response.status === 400) fails = length;
      else fits = length;
    }
    return fits;
  };

  it(
    conformance(
      "AT-12",
      "SU-10",
      "a long authorization request either fits into the return path of the sign-in page or is refused with an error page",
    ),
    async () => {
      await enrolledApp(deps, ann.user);
      const query = queryOf({ acr_values: MULTI, max_age: "86400" });
      const state = "é".repeat(await longest(query));
      expect(state.length).toBeGreaterThan(1_000);
      const page = pageOf(await authorize({ ...query, state }, ann));
      const back = page?.["return_to"] ?? "";
      expect(safeReturnPath(back, "/lost")).toBe(back);
      const signedOut = pageOf(await authorize({ ...query, state }))?.["return_to"] ?? "";
      expect(safeReturnPath(signedOut, "/lost")).toBe(signedOut);
      expect((await outcome(await declinedQuery(back)))["state"]).toBe(state);
      for (const user of [ann, undefined]) {
        const response = await authorize({ ...query, state: `${state}é` }, user);
        expect([response.status, await response.text()]).toEqual([400, expect.stringContaining("too long")]);
      }
    },
  );
});
