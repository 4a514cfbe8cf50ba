import { POST as postPar } from "@app/oauth/par/route.ts";
import { GET as getConfirm } from "@app/users/confirm/route.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { ACR_VALUES } from "@/identity/sessions/authentication-methods.ts";
import { sessionCsrfToken, sessionOf } from "@/identity/sessions/service.ts";
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
  PASSWORD,
  reauthenticate,
  redirectParameters,
  requestToken,
  type SignedInUser,
  signedInCookie,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { openIdClient, verified } from "@/testing/open-id.ts";
import {
  addedPasskey,
  enrolledApp,
  pendingSignInCookie,
  postForm,
  sessionIn,
  signInWithCode,
} from "@/testing/second-factor.ts";
import {
  claimsOf as claimsFrom,
  confirmWith as confirmAs,
  declinedQuery as declinedQueryOf,
  essentialAcr,
  pageOf,
  passkeyResponse,
  queryIn,
  userWithClient,
} from "@/testing/step-up.ts";

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
const seconds = () => Math.floor(deps.clock().getTime() / 1000);

const claimsOf = (response: Response) => claimsFrom(deps, client, response);

const confirmWith = (fields: Fields, returnTo: string): Promise<Response> =>
  confirmAs(deps, ann, fields, returnTo);

/** Requests the path to which a form redirects, with the session cookie of the user. */
const continueAt = (response: Response, user = ann): Promise<Response> =>
  authorize(new URL(response.headers.get("location") ?? "", ORIGIN).search.slice(1), user);

const declinedQuery = (back: string): Promise<string> => declinedQueryOf(deps, ann.cookie, back);

const signedInWith = (code: string): Promise<SignedInUser> => signInWithCode(ann, code);

describe("acr_values", () => {
  it(
    conformance(
      "SU-03",
      "SU-10",
      "an authorization request with acr_values shows the two-factor page, and continues after the user has entered the second factor",
    ),
    async () => {
      const app = await enrolledApp(deps, ann.user);
      deps.advance(60);
      const query = queryOf({ acr_values: MULTI, state: "a&b=c", claims: '{"userinfo":{"name":null}}' });
      const page = pageOf(await authorize(query, ann));
      expect(page).toMatchObject({ path: "/users/confirm", factor: "second_factor" });
      expect(page).not.toHaveProperty("required");
      const back = page?.["return_to"] ?? "";
      expect(back).toBe(`/oauth/authorize?${encodedInOrder(back, query)}`);
      const wrong = pageOf(await confirmWith({ code: "000000", factor: "second_factor" }, back));
      expect(wrong).toMatchObject({ problem: "wrong", factor: "second_factor", return_to: back });
      const response = await continueAt(await confirmWith({ code: app.code() }, back));
      expect(redirectParameters(response)["state"]).toBe("a&b=c");
      const { payload } = await claimsOf(response);
      expect(payload).toMatchObject({ acr: MULTI, amr: ["pwd", "otp", "mfa"], auth_time: seconds() });
      expect(redirectParameters(await authorize(query, ann))).toHaveProperty("code");
    },
  );

  /**
   * Returns the parameters of an authorization request in the order in which the expected URL contains the
   * parameters.
   */
  const encodedInOrder = (path: string, query: Fields): string =>
    encoded(
      Object.fromEntries(
        [...new URLSearchParams(path.slice(path.indexOf("?") + 1)).keys()].map((name) => [name, query[name]]),
      ),
    );

  it(
    conformance(
      "SU-03",
      "a request with acr_values shows a page that names the application and the requested factor",
    ),
    async () => {
      await enrolledApp(deps, ann.user);
      const shown = async (query: Fields) => {
        const url = new URL((await authorize(queryOf(query), ann)).headers.get("location") ?? "");
        return (await getConfirm(new Request(url, { headers: { cookie: ann.cookie } }))).text();
      };
      const voluntary = await shown({ acr_values: MULTI });
      expect(voluntary).toContain("asks for a sign-in with two factors");
      expect(voluntary).toContain("Continue without a second factor");
      const declineAt = /href="([^"]*step_up_declined=[^"]*)"/.exec(voluntary)?.[1]?.replaceAll("&amp;", "&");
      expect(redirectParameters(await authorize(queryIn(declineAt ?? ""), ann))).toHaveProperty("code");
      expect(voluntary).toContain('name="factor" value="second_factor"');
      expect(voluntary).not.toContain('type="password"');
      await addedPasskey(deps, ann.user);
      const required = await shown({ claims: essentialAcr({ value: PHR }) });
      expect(required).toContain("requires a sign-in with a passkey");
      expect(required).toContain("data-passkey=");
      expect(required).not.toContain('name="code"');
    },
  );

  it(
    conformance(
      "SU-03",
      "if the user does not have the requested factor, a request with acr_values gets an authorization code with the authentication class of the session",
    ),
    async () => {
      for (const acr_values of [MULTI, PHR, `${PHR} ${MULTI}`, "1 2"]) {
        const { payload } = await claimsOf(await authorize(queryOf({ acr_values }), ann));
        expect(payload["acr"]).toBe(SINGLE);
      }
    },
  );

  it(
    conformance(
      "SU-03",
      "an authorization request with acr_values continues when the user declines the requested factor",
    ),
    async () => {
      await enrolledApp(deps, ann.user);
      const back = pageOf(await authorize(queryOf({ acr_values: MULTI }), ann))?.["return_to"] ?? "";
      const forged = await authorize(`${queryIn(back)}&step_up_declined=1`, ann);
      expect(pageOf(forged)).toMatchObject({ path: "/users/confirm", return_to: back });
      const declined = await authorize(await declinedQuery(back), ann);
      expect((await claimsOf(declined)).payload["acr"]).toBe(SINGLE);
      const required = await declinedQuery(
        `?${encoded(queryOf({ claims: essentialAcr({ value: MULTI }) }))}`,
      );
      expect(redirectParameters(await authorize(required, ann))).toMatchObject({
        error: "unmet_authentication_requirements",
      });
    },
  );

  it(
    conformance("SU-03", "an authorization request for the phishing-resistant class accepts only a passkey"),
    async () => {
      const app = await enrolledApp(deps, ann.user);
      const passkey = await addedPasskey(deps, ann.user);
      deps.advance(60);
      const page = async () => pageOf(await authorize(queryOf({ acr_values: PHR }), ann));
      const first = await page();
      expect(first).toMatchObject({ path: "/users/confirm", factor: "passkey" });
      const back = first?.["return_to"] ?? "";
      await confirmWith({ code: app.code() }, back);
      expect(await page()).toMatchObject({ path: "/users/confirm", factor: "passkey" });
      await confirmWith({ credential: await passkeyResponse(deps, ann, passkey, false) }, back);
      const { payload } = await claimsOf(await authorize(queryOf({ acr_values: PHR }), ann));
      expect(payload).toMatchObject({ acr: PHR, amr: ["pwd", "pop", "user", "mfa"] });
    },
  );

  it.each<[string, string]>([
    [`${SINGLE} ${MULTI}`, SINGLE],
    [`${MULTI} ${SINGLE}`, MULTI],
    [`x ${PHR} ${MULTI}`, MULTI],
    ["x", MULTI],
  ])(
    conformance("SU-06", "after a sign-in with two factors, acr_values=%s gives the class %s"),
    async (acr_values, expected) => {
      const app = await enrolledApp(deps, ann.user);
      deps.advance(60);
      const user = await signedInWith(app.code());
      expect((await claimsOf(await authorize(queryOf({ acr_values }), user))).payload["acr"]).toBe(expected);
    },
  );

  it(
    conformance("SU-03", "a pushed authorization request may contain acr_values, also together with max_age"),
    async () => {
      const app = await enrolledApp(deps, ann.user);
      deps.advance(60);
      const form = queryOf({ acr_values: MULTI, max_age: "30", client_secret: client.secret });
      const pushed = await postPar(formPost("/oauth/par", encoded(form)));
      const { request_uri } = await pushed.json();
      const query = { client_id: client.id, request_uri };
      // The sign-in satisfies max_age, and the second factor of the sign-in satisfies acr_values.
      expect(pageOf(await authorize(query, ann))).toMatchObject({ path: "/users/sign_in", again: "1" });
      const back = pageOf(await authorize(query, ann))?.["return_to"] ?? "";
      const user = await signedInWith(app.code());
      const { payload } = await claimsOf(await authorize(back.slice(back.indexOf("?") + 1), user));
      expect(payload).toMatchObject({ acr: MULTI, auth_time: seconds() });
    },
  );

  it("acr_values also applies if the application does not have the scope openid", async () => {
    await enrolledApp(deps, ann.user);
    const query = queryOf({ scope: "read_user", acr_values: MULTI });
    expect(pageOf(await authorize(query, ann))).toMatchObject({ factor: "second_factor" });
  });
});

describe("an essential claim acr", () => {
  it.each<[string, object]>([
    ["a value", { value: MULTI }],
    ["values", { values: ["x", PHR, MULTI] }],
  ])(
    conformance(
      "SU-04",
      "an essential `acr` claim with %s leads to the page for the factor, or to an error if the user does not have the factor",
    ),
    async (_what, value) => {
      const query = queryOf({ claims: essentialAcr(value) });
      expect(redirectParameters(await authorize(query, ann))).toMatchObject({
        ...{ error: "unmet_authentication_requirements", state: "xyz" },
      });
      const app = await enrolledApp(deps, ann.user);
      deps.advance(60);
      const page = pageOf(await authorize(query, ann));
      expect(page).toMatchObject({ path: "/users/confirm", factor: "second_factor", required: "1" });
      const response = await continueAt(await confirmWith({ code: app.code() }, page?.["return_to"] ?? ""));
      expect((await claimsOf(response)).payload["acr"]).toBe(MULTI);
    },
  );

  it(
    conformance(
      "SU-04",
      "a request with an essential `acr` claim is refused if the claim has an unsupported value, and is accepted if the claim has no value",
    ),
    async () => {
      const error = "unmet_authentication_requirements";
      for (const value of [{ value: "x" }, { values: [7] }, { value: { a: 1 } }])
        expect(
          redirectParameters(await authorize(queryOf({ claims: essentialAcr(value) }), ann)),
        ).toMatchObject({
          error,
        });
      expect(
        (await claimsOf(await authorize(queryOf({ claims: essentialAcr({}) }), ann))).payload["acr"],
      ).toBe(SINGLE);
      const withValues = queryOf({ claims: essentialAcr({}), acr_values: MULTI });
      expect(redirectParameters(await authorize(withValues, ann))).toMatchObject({ error });
    },
  );

  it(
    conformance("SU-04", "an essential `acr` claim is also checked when the user posts the consent form"),
    async () => {
      const other = await openIdClient(deps, ann.user);
      const query = authorizationQuery(other, { scope: "openid", claims: essentialAcr({ value: MULTI }) });
      expect(redirectParameters(await decide(deps, ann, query))).toMatchObject({
        error: "unmet_authentication_requirements",
      });
      await enrolledApp(deps, ann.user);
      expect(pageOf(await decide(deps, ann, query))).toMatchObject({ path: "/users/confirm" });
      expect(await deps.db.consent.count({ where: { applicationId: other.application.id } })).toBe(0);
    },
  );

  it("an essential `acr` claim is also checked for a trusted application", async () => {
    await deps.db.application.update({ where: { uid: client.id }, data: { trusted: true } });
    const query = queryOf({ claims: essentialAcr({ value: MULTI }) });
    expect(redirectParameters(await authorize(query, ann))).toMatchObject({
      error: "unmet_authentication_requirements",
    });
  });
});

describe("prompt=none", () => {
  it(
    conformance(
      "SU-05",
      "an authorization request with prompt=none returns an error or an authorization code, and never shows the page for the second factor",
    ),
    async () => {
      const outcome = async (changes: Fields) =>
        redirectParameters(await authorize(queryOf({ prompt: "none", ...changes }), ann));
      const claims = essentialAcr({ value: MULTI });
      expect(await outcome({ claims })).toMatchObject({ error: "unmet_authentication_requirements" });
      expect(await outcome({ acr_values: MULTI })).toHaveProperty("code");
      await enrolledApp(deps, ann.user);
      expect(await outcome({ claims })).toMatchObject({ error: "login_required" });
      // With prompt=none, the client has excluded every interaction. The request continues, because a
      // voluntary authentication class requires no interaction.
      expect(await outcome({ acr_values: MULTI })).toHaveProperty("code");
      expect(await outcome({ acr_values: SINGLE })).toHaveProperty("code");
    },
  );
});

describe("a step-up", () => {
  it(
    conformance(
      "SU-10",
      "a step-up changes only the session in which the user has entered the factor, and has no effect after this session has ended",
    ),
    async () => {
      const app = await enrolledApp(deps, ann.user);
      deps.advance(60);
      const cookie = await pendingSignInCookie(ann.user.username);
      deps.advance(30);
      const second = await postForm({ intent: "second_factor", code: app.code(), return_to: "/" }, cookie);
      const strong = { ...ann, cookie: sessionIn(second) };
      const query = queryOf({ acr_values: MULTI });
      expect(pageOf(await authorize(query, ann))).toMatchObject({ path: "/users/confirm" });
      expect(redirectParameters(await authorize(query, strong))).toHaveProperty("code");
      await deps.db.session.updateMany({ where: { userId: ann.user.id }, data: { endedAt: deps.clock() } });
      expect(pageOf(await authorize(query, strong))).toMatchObject({ path: "/users/sign_in" });
    },
  );

  it("after two-factor authentication was turned off, a step-up by password lowers the authentication class of the session", async () => {
    const app = await enrolledApp(deps, ann.user);
    deps.advance(60);
    const strong = await signedInWith(app.code());
    await deps.db.totpSecret.deleteMany({ where: { userId: ann.user.id } });
    await deps.db.user.update({ where: { id: ann.user.id }, data: { twoFactorSince: null } });
    expect((await claimsOf(await authorize(queryOf(), strong))).payload["acr"]).toBe(MULTI);
    await reauthenticate(deps, strong);
    expect((await claimsOf(await authorize(queryOf(), strong))).payload["acr"]).toBe(SINGLE);
  });

  it("a step-up does not change the authentication class of authorization codes and grants that existed before the step-up", async () => {
    const { code = "" } = redirectParameters(await authorize(queryOf(), ann));
    const app = await enrolledApp(deps, ann.user);
    deps.advance(60);
    await confirmWith({ code: app.code() }, "/");
    const { body } = await requestToken(exchangeOf(client, code));
    expect((await verified(deps, body["id_token"], client)).payload["acr"]).toBe(SINGLE);
  });

  it(
    conformance(
      "SU-10",
      "a step-up is requested only once if the authentication methods of the session are still unknown after the sign-in",
    ),
    async () => {
      await deps.db.session.updateMany({ data: { methods: null } });
      const query = queryOf({ claims: essentialAcr({ value: SINGLE }) });
      const page = pageOf(await authorize(query, ann));
      expect(page).toMatchObject({ path: "/users/sign_in", again: "1" });
      const back = page?.["return_to"] ?? "";
      deps.advance(5);
      const again = { ...ann, cookie: await signedInCookie(ann.user.username) };
      // A server with an earlier version of Gatehouse creates sessions without authentication methods.
      await deps.db.session.updateMany({ data: { methods: null } });
      const response = await authorize(back.slice(back.indexOf("?") + 1), again);
      expect(redirectParameters(response)).toMatchObject({ error: "unmet_authentication_requirements" });
    },
  );
});

it("neither a wrong password nor a form of another session changes the authentication class of a session", async () => {
  await enrolledApp(deps, ann.user);
  deps.advance(60);
  const query = queryOf({ acr_values: MULTI });
  const back = pageOf(await authorize(query, ann))?.["return_to"] ?? "";
  await confirmWith({ password: PASSWORD }, back);
  expect(pageOf(await authorize(query, ann))).toMatchObject({ path: "/users/confirm" });
  const bob = await signedInUser(deps, `bob${users}`);
  const session = await sessionOf(deps, bob.cookie);
  const form_token = session === null ? "" : sessionCsrfToken(deps, session, "confirm");
  const forged = { intent: "confirm", form_token, code: "000000", return_to: back };
  expect((await postForm(forged, ann.cookie)).status).toBe(403);
});
