import { randomUUID } from "node:crypto";
import { createRemoteJWKSet, type JWTVerifyResult, jwtVerify } from "jose";
import { expect } from "../fixtures.ts";
import type { Instance } from "../instance.ts";

/** An HTML document with its status and its URL. */
export type Document = Readonly<{ url: URL; status: number; html: string }>;

/** The parameters of an authorization response. */
export type Callback = Readonly<Record<string, string>>;

/** How an authorization response reaches the client: in a redirect, or in a form that the browser posts. */
export type ResponseMode = "query" | "form_post";

export type Fields = Readonly<Record<string, string | undefined>>;

type Client = Readonly<{ client_id: string; client_secret: string }>;

/** A browser without JavaScript, which can only send HTTP requests. */
export type Browser = Readonly<{
  /** Requests a URL, and follows redirects within the instance. */
  open: (url: string, form?: Fields) => Promise<Document | URL>;
  /** Submits the form that contains a control with this name. */
  submit: (document: Document, control: string, fields: Fields) => Promise<Document | URL>;
}>;

/**
 * Opens a browser with an empty cookie jar. Each request returns a document, or a URL outside the instance.
 */
export function openBrowser(instance: Instance): Browser {
  const cookies = new Map<string, string>();

  async function open(url: string, form?: Fields): Promise<Document | URL> {
    let target = new URL(url, instance.baseUrl);
    let body = form;
    for (let redirects = 0; redirects < 10; redirects++) {
      if (target.origin !== new URL(instance.baseUrl).origin) return target;
      const response = await fetch(target, {
        redirect: "manual",
        headers: {
          cookie: [...cookies].map((pair) => pair.join("=")).join("; "),
          ...(body === undefined ? {} : { origin: instance.baseUrl }),
        },
        ...(body === undefined ? {} : { method: "POST", body: encoded(body) }),
      });
      for (const line of response.headers.getSetCookie()) {
        const [name = "", value = ""] = line.split(";", 1)[0]?.split(/=(.*)/s) ?? [];
        cookies.set(name, value);
      }
      const location = response.headers.get("location");
      if (location === null) return { url: target, status: response.status, html: await response.text() };
      await response.body?.cancel();
      target = new URL(location, target);
      body = undefined;
    }
    throw new Error(`Too many redirects: ${target}`);
  }

  return {
    open,
    submit: (document, control, fields) => {
      const form = formWith(document.html, control);
      return open(new URL(form.action, document.url).href, { ...form.hidden, ...fields });
    },
  };
}

export const encoded = (fields: Fields): URLSearchParams =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

type Form = Readonly<{ method: string; action: string; hidden: Readonly<Record<string, string>> }>;

/** Returns the method, the target and the hidden fields of the form that contains a control with this name. */
export function formWith(html: string, control: string): Form {
  const forms = [...html.matchAll(/<form\b[^>]*>.*?<\/form>/gs)].map(([form]) => form);
  const form = forms.find((text) => text.includes(` name="${control}"`));
  if (form === undefined) throw new Error(`The document has no form with ${control}.`);
  const attribute = (tag: string, name: string) =>
    unescaped(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? "");
  const inputs = [...form.matchAll(/<input\b[^>]*>/g)].map(([input]) => input);
  const hidden = inputs.filter((input) => attribute(input, "type") === "hidden");
  return {
    method: attribute(form, "method"),
    action: attribute(form, "action"),
    hidden: Object.fromEntries(hidden.map((input) => [attribute(input, "name"), attribute(input, "value")])),
  };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", quot: '"', lt: "<", gt: ">" };
const unescaped = (text: string): string =>
  text
    .replace(/&#x([0-9a-f]+);/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&(amp|quot|lt|gt);/g, (_, name) => ENTITIES[name] ?? "");

/** A client of the instance, configured as in the conformance suite. */
export type RelyingParty = Readonly<{
  client: Client;
  redirectUri: string;
  /** Returns the URL of an authorization request with `openid`, a state and a nonce. */
  requestUrl: (changes?: Fields) => string;
  /**
   * Runs the authorization code flow until the authorization response. The user signs in and consents where
   * necessary.
   */
  authorize: (browser: Browser, changes?: Fields) => Promise<Callback>;
  /** Sends an authorization request, and fails if the server shows a page before the authorization response. */
  authorizeWithoutPages: (browser: Browser, changes?: Fields) => Promise<Callback>;
  /**
   * Sends an authorization request, and signs in. Fails if the server does not show the sign-in page.
   */
  authorizeAfterSignIn: (browser: Browser, changes?: Fields) => Promise<Callback>;
  /** Returns the parameters of an authorization response. Fails for another page, redirect or issuer. */
  callbackOf: (result: Document | URL) => Callback;
  /** Sends a request to the token endpoint. */
  token: (fields: Fields, authentication?: "basic" | "post") => Promise<TokenResponse>;
  /** Exchanges the authorization code that the redirect URI received. */
  exchange: (callback: Callback, authentication?: "basic" | "post") => Promise<TokenResponse>;
  /** Verifies an ID token with the keys that the instance publishes. */
  verified: (tokens: TokenResponse) => Promise<JWTVerifyResult>;
  userinfo: (token: unknown, way?: "get" | "header" | "body") => Promise<TokenResponse>;
}>;

export type TokenResponse = Readonly<{ status: number; body: Readonly<Record<string, unknown>> }>;

export function relyingParty(
  instance: Instance,
  client: Client,
  redirectUri: string,
  responseMode: ResponseMode = "query",
): RelyingParty {
  const at = (path: string): string => `${instance.baseUrl}${path}`;
  const keys = createRemoteJWKSet(new URL(at("/oauth/discovery/keys")), { timeoutDuration: 60_000 });

  const requestUrl = (changes: Fields = {}): string => {
    const query = encoded({
      client_id: client.client_id,
      redirect_uri: redirectUri,
      response_type: "code",
      scope: "openid",
      state: randomUUID(),
      nonce: randomUUID(),
      ...(responseMode === "query" ? {} : { response_mode: responseMode }),
      ...changes,
    });
    return at(`/oauth/authorize?${query}`);
  };

  async function token(fields: Fields, authentication: "basic" | "post" = "basic"): Promise<TokenResponse> {
    const pair = `${client.client_id}:${client.client_secret}`;
    const response = await fetch(at("/oauth/token"), {
      method: "POST",
      headers: authentication === "basic" ? { authorization: `Basic ${btoa(pair)}` } : {},
      body: encoded({ ...fields, ...(authentication === "post" ? client : {}) }),
    });
    return { status: response.status, body: await response.json() };
  }

  const callbackOf = (result: Document | URL): Callback => {
    const response = responseMode === "query" ? redirectedTo(result) : postedTo(result);
    expect(response.target).toBe(redirectUri);
    expect(response.parameters["iss"] ?? instance.baseUrl).toBe(instance.baseUrl);
    return response.parameters;
  };

  /** Opens an authorization request with `open`, and checks that the response contains the state. */
  const authorization = async (
    changes: Fields | undefined,
    open: (url: string) => Promise<Document | URL>,
  ) => {
    const url = requestUrl(changes);
    const callback = callbackOf(await open(url));
    expect(callback["state"]).toBe(new URL(url).searchParams.get("state"));
    return callback;
  };

  return {
    client,
    redirectUri,
    requestUrl,
    authorize: (browser, changes) => authorization(changes, (url) => completed(browser, instance, url)),
    authorizeWithoutPages: (browser, changes) => authorization(changes, (url) => browser.open(url)),
    authorizeAfterSignIn: (browser, changes) =>
      authorization(changes, async (url) => {
        const page = await browser.open(url);
        if (!isSignIn(page) || page instanceof URL) throw new Error("The sign-in page was not shown.");
        return signIn(browser, instance, page);
      }),
    callbackOf,
    token,
    exchange: (callback, authentication) =>
      token(
        { grant_type: "authorization_code", code: callback["code"], redirect_uri: redirectUri },
        authentication,
      ),
    verified: ({ body }) =>
      jwtVerify(String(body["id_token"]), keys, { issuer: instance.baseUrl, audience: client.client_id }),
    userinfo: async (accessToken, way = "get") => {
      const inBody = way === "body";
      const response = await fetch(at("/oauth/userinfo"), {
        method: way === "get" ? "GET" : "POST",
        headers: inBody ? {} : { authorization: `Bearer ${accessToken}` },
        ...(inBody ? { body: encoded({ access_token: String(accessToken) }) } : {}),
      });
      return { status: response.status, body: await response.json() };
    },
  };
}

/** Opens an authorization request; the user signs in and consents where necessary. */
export async function completed(
  browser: Browser,
  instance: Instance,
  url: string,
  form?: Fields,
): Promise<Document | URL> {
  let current = await browser.open(url, form);
  for (let pages = 0; pages < 4 && !(current instanceof URL); pages++) {
    if (isSignIn(current)) current = await signIn(browser, instance, current);
    else if (isConsent(current)) current = await browser.submit(current, "decision", { decision: "allow" });
    else break;
  }
  return current;
}

const signIn = (browser: Browser, instance: Instance, page: Document): Promise<Document | URL> =>
  browser.submit(page, "login", { intent: "sign_in", login: "root", password: instance.rootPassword });

export const isSignIn = (page: Document | URL): boolean =>
  !(page instanceof URL) && page.url.pathname === "/users/sign_in";

const isConsent = (page: Document | URL): boolean =>
  !(page instanceof URL) && page.url.pathname === "/oauth/consent";

type AuthorizationResponse = Readonly<{ target: string; parameters: Callback }>;

function redirectedTo(result: Document | URL): AuthorizationResponse {
  if (!(result instanceof URL)) throw new Error(`No redirect, but ${result.status} at ${result.url}`);
  const target = `${result.origin}${result.pathname}`;
  return { target, parameters: Object.fromEntries(result.searchParams) };
}

function postedTo(result: Document | URL): AuthorizationResponse {
  if (result instanceof URL) throw new Error(`A redirect instead of a form: ${result}`);
  const { method, action, hidden } = formWith(result.html, "state");
  expect(method).toBe("post");
  return { target: action, parameters: hidden };
}
