import { createHash, randomUUID } from "node:crypto";
import { GET as getUser } from "@app/api/v4/user/route.ts";
import { GET as getAuthorize, POST as postAuthorize } from "@app/oauth/authorize/route.ts";
import { POST as postTokenRoute } from "@app/oauth/token/route.ts";
import { POST as postSession } from "@app/users/session/route.ts";
import { expect } from "vitest";
import type { User } from "@/access/principal.ts";
import { sessionCsrfToken, sessionOf } from "@/identity/sessions/service.ts";
import * as users from "@/identity/users/service.ts";
import type { Deps } from "@/kernel/deps/deps.ts";
import type { Application, ApplicationDraft } from "@/oauth/applications/rules.ts";
import * as applications from "@/oauth/applications/service.ts";
import type { Approval } from "@/oauth/authorizations/approval.ts";
import { consentPurpose } from "@/oauth/authorizations/authorization-request.ts";
import { resolveAuthorizationRequest } from "@/oauth/authorizations/pushed-request.ts";

export const ORIGIN = "http://localhost:3000";
export const REDIRECT_URI = "https://client.example.com/callback";
export const PASSWORD = "correct horse battery";

/** The code verifier of RFC 7636, appendix B. */
export const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
export const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
export const challengeOf = (verifier: string): string =>
  createHash("sha256").update(verifier).digest("base64url");

export type Fields = Readonly<Record<string, string | undefined>>;
export const encoded = (fields: Fields): string =>
  Object.entries(fields)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join("&");

const FORM = { "content-type": "application/x-www-form-urlencoded" };

/** Returns the request with which a browser submits a form of a page of this server. */
export const formPost = (
  path: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Request =>
  new Request(ORIGIN + path, { method: "POST", headers: { ...FORM, origin: ORIGIN, ...headers }, body });

/** A user and the session cookie of a browser in which the user is signed in. */
export type SignedInUser = Readonly<{ user: User; cookie: string }>;

/** Creates a user, and signs the user in through the form. */
export async function signedInUser(deps: Deps, username: string): Promise<SignedInUser> {
  const created = await users.create(deps, {
    username,
    email: `${username}@example.com`,
    password: PASSWORD,
  });
  if ("problems" in created) throw new Error(JSON.stringify(created.problems));
  return { user: created.user, cookie: await signedInCookie(username) };
}

export async function signedInCookie(login: string): Promise<string> {
  const response = await postSession(formPost("/users/session", encoded({ login, password: PASSWORD })));
  const set = response.headers.getSetCookie().find((line) => line.includes("gatehouse_session=ey"));
  if (set === undefined) throw new Error(`${login} could not sign in.`);
  return set.split(";", 1)[0] ?? "";
}

/** A registered application with its credentials. */
export type Client = Readonly<{ application: Application; id: string; secret: string | undefined }>;

export async function registeredClient(
  deps: Deps,
  owner: User,
  draft: Partial<ApplicationDraft> = {},
  trusted = false,
): Promise<Client> {
  const options = { confidential: true, requiresPkce: false, allowsPassword: true };
  const defaults = { name: "Client", redirectUris: REDIRECT_URI, scopes: ["read_user"], ...options };
  const registered = await applications.register(deps, owner, { ...defaults, ...draft }, trusted);
  if ("problems" in registered) throw new Error(JSON.stringify(registered.problems));
  const { application, secret } = registered;
  return { application, id: application.uid, secret: secret ?? undefined };
}

/** Returns the parameters of the application's authorization request. */
export const authorizationQuery = (client: Client, changes: Fields = {}): Fields => ({
  client_id: client.id,
  redirect_uri: REDIRECT_URI,
  response_type: "code",
  scope: "read_user",
  state: "xyz",
  ...(client.application.confidential ? {} : { code_challenge: CHALLENGE, code_challenge_method: "S256" }),
  ...changes,
});

/**
 * Sends `GET /oauth/authorize` as a browser. The parameter `query` is a string if the query is not
 * well-formed.
 */
export const authorize = (query: Fields | string, user?: SignedInUser): Promise<Response> =>
  getAuthorize(
    new Request(`${ORIGIN}/oauth/authorize?${typeof query === "string" ? query : encoded(query)}`, {
      headers: user === undefined ? {} : { cookie: user.cookie },
    }),
  );

/** Returns the CSRF token of the consent form for `query` in the session of the user. */
export async function csrfTokenFor(deps: Deps, user: SignedInUser, query: Fields): Promise<string> {
  const session = await sessionOf(deps, user.cookie);
  if (session === null) throw new Error("The session is not live.");
  return sessionCsrfToken(
    deps,
    session,
    consentPurpose(await resolveAuthorizationRequest(deps, encoded(query))),
  );
}

/**
 * Posts the consent form for `query`.
 * @param changes values that replace fields of the form.
 */
export async function decide(
  deps: Deps,
  user: SignedInUser,
  query: Fields,
  changes: Fields = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const form_token = await csrfTokenFor(deps, user, query);
  const body = encoded({ ...query, decision: "allow", form_token, form_id: randomUUID(), ...changes });
  return postAuthorize(formPost("/oauth/authorize", body, { cookie: user.cookie, ...headers }));
}

/**
 * Returns the parameters of a redirect to `redirectUri`. The function fails for any other redirect target,
 * and for repeated parameters.
 */
export function redirectParameters(
  response: Response,
  redirectUri = REDIRECT_URI,
): Readonly<Record<string, string>> {
  expect([302, 303]).toContain(response.status);
  const location = response.headers.get("location") ?? "";
  expect(location.split("?", 1)[0]).toBe(redirectUri.split("?", 1)[0]);
  const pairs = [...new URLSearchParams(location.slice(location.indexOf("?") + 1))];
  expect(new Set(pairs.map(([name]) => name)).size, "no repeated parameter").toBe(pairs.length);
  return Object.fromEntries(pairs);
}

/** Returns the access to the scope `read_user` that the user grants to the application as a trusted application. */
export async function approvalOf(
  deps: Deps,
  { user, cookie }: SignedInUser,
  client: Client,
): Promise<Approval> {
  const session = await sessionOf(deps, cookie);
  if (session === null) throw new Error("The session is not live.");
  return {
    application: { ...client.application, trusted: true },
    user,
    scopes: ["read_user"],
    redirectUri: REDIRECT_URI,
    codeChallenge: null,
    resource: null,
    nonce: null,
    dpopJkt: null,
    authTime: deps.clock(),
    acr: null,
    amr: null,
    sessionId: session.id,
    offlineAccess: false,
    pushedDigest: null,
  };
}

/** Re-authenticates the user of the session with the password. */
export async function reauthenticate(deps: Deps, user: SignedInUser): Promise<Response> {
  const session = await sessionOf(deps, user.cookie);
  if (session === null) throw new Error("The session is not live.");
  const form_token = sessionCsrfToken(deps, session, "confirm");
  const form = { intent: "confirm", form_token, password: PASSWORD, return_to: "/proved" };
  return postSession(formPost("/users/session", encoded(form), { cookie: user.cookie }));
}

/** Sends the authorization request and grants consent. @returns the authorization code. */
export async function codeFor(deps: Deps, user: SignedInUser, query: Fields): Promise<string> {
  let response = await decide(deps, user, query);
  if (response.headers.get("location")?.includes("/users/confirm?")) {
    await reauthenticate(deps, user);
    response = await decide(deps, user, query);
  }
  const code = redirectParameters(response, query["redirect_uri"])["code"];
  if (code === undefined) throw new Error("No code was issued.");
  return code;
}

/**
 * Returns the form that exchanges the authorization code `code`, with the client secret or the code verifier.
 */
export const exchangeOf = (client: Client, code: string, changes: Fields = {}): Fields => ({
  grant_type: "authorization_code",
  client_id: client.id,
  client_secret: client.secret,
  code,
  redirect_uri: REDIRECT_URI,
  code_verifier: client.application.confidential ? undefined : VERIFIER,
  ...changes,
});

type TokenResponse = Readonly<{ status: number; headers: Headers; body: Record<string, unknown> }>;

/**
 * Sends `POST /oauth/token` with the text `body` as the body. The function checks that the response is JSON
 * with `no-store`, and that an error has exactly two members. A response with the status 400 must have no
 * challenge, because strict clients would follow the challenge.
 */
export async function postToken(
  body: BodyInit,
  headers: Readonly<Record<string, string>> = FORM,
  query = "",
): Promise<TokenResponse> {
  const response = await postTokenRoute(
    new Request(`${ORIGIN}/oauth/token${query}`, { method: "POST", headers, body }),
  );
  expect(response.headers.get("cache-control")).toContain("no-store");
  expect(response.headers.get("pragma")).toBe("no-cache");
  expect(response.headers.get("content-type")).toMatch(/^application\/json(;|$)/);
  const json: Record<string, unknown> = await response.json();
  if (response.status !== 200) {
    expect(Object.keys(json).toSorted()).toEqual(["error", "error_description"]);
    expect(json["error"]).toMatch(/^[a-z_]+$/);
    expect(json["error_description"]).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
  }
  if (response.status === 400) expect(response.headers.has("www-authenticate")).toBe(false);
  return { status: response.status, headers: response.headers, body: json };
}

/** Sends `POST /oauth/token` with a form, and with the header `Authorization: ${basic}` if `basic` is given. */
export const requestToken = (fields: Fields, basic?: string): Promise<TokenResponse> =>
  postToken(encoded(fields), basic === undefined ? FORM : { ...FORM, authorization: basic });

export const basicOf = (id: string, secret: string | undefined): string =>
  `Basic ${Buffer.from(`${id}:${secret ?? ""}`).toString("base64")}`;

/** Returns the status and the body of a refused grant, for `toMatchObject`. */
export const refusal = (error: string) => ({
  status: error === "invalid_client" ? 401 : 400,
  body: { error, error_description: expect.any(String) },
});

/** Returns the status of `GET /api/v4/user` with the given token: 200 for a valid token. */
export async function bearerStatus(token: unknown): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await getUser(new Request(`${ORIGIN}/api/v4/user`, { headers }))).status;
}
