import { createHash, createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { GET as getCallback } from "@app/users/auth/[provider]/callback/route.ts";
import { POST as postStart } from "@app/users/auth/[provider]/route.ts";
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import type { ConfiguredProvider } from "@/kernel/config/identity-providers.ts";
import { encoded, type Fields, formPost, ORIGIN } from "./authorization.ts";
import type { TestDeps } from "./deps.ts";
import { keepConnectionsOpen } from "./keep-alive.ts";
import { cookieIn } from "./second-factor.ts";

type Claims = Readonly<Record<string, unknown>>;
type CannedResponse = Readonly<{ status?: number; body: string; type?: string }>;

/**
 * The responses of an external identity provider. Tests replace the responses to simulate a malicious
 * provider.
 */
export type ProviderBehavior = {
  /** The claims of the user. If `sub` is missing, the test fails with an error. */
  user: Claims;
  /** Changes of the claims of the ID token; an undefined value removes the claim. */
  idToken: Readonly<Record<string, unknown>>;
  /** Creates the signed ID token from its claims. */
  sign: (claims: Claims) => Promise<string> | string;
  /** Responses that replace the normal responses, by path. */
  answers: Readonly<
    Record<string, CannedResponse | ((request: IncomingMessage, response: ServerResponse) => void)>
  >;
  /** Additional metadata. */
  metadata: Claims;
  keys: JWK[];
};

export type TestProvider = Readonly<{
  issuer: string;
  behavior: ProviderBehavior;
  /** The number of requests by path. */
  requests: Map<string, number>;
  /** Replaces the signing key of the identity provider, which then no longer publishes the earlier key. */
  rotateKey: () => Promise<void>;
  /** Restores the normal responses of the identity provider. */
  reset: () => void;
  settings: (changes?: Partial<ConfiguredProvider>) => ConfiguredProvider;
  close: () => Promise<void>;
}>;

type Grant = Readonly<{ challenge: string; nonce: string | null; redirectUri: string }>;

const CLIENT = { clientId: "gatehouse", clientSecret: "the secret of the client" };

/** The settings of a test provider, without its name, its issuer and its client. */
export const PROVIDER_SETTINGS = {
  label: "Corp",
  kind: "openid_connect",
  createsAccounts: true,
  linksByEmail: false,
  trustsEmails: false,
  allowedDomains: [],
  enforcedDomains: [],
  groupsClaim: "",
  groupRules: [],
} as const;

/** Starts an OpenID Connect provider on a free port. */
export async function openProvider(now: () => Date): Promise<TestProvider> {
  const grants = new Map<string, Grant>();
  const requests = new Map<string, number>();
  let key = await newKey();
  let issuer = "";
  const honest = (): ProviderBehavior => ({
    user: {
      sub: "1001",
      email: "zoe@corp.example",
      email_verified: true,
      name: "Zoe Z",
      preferred_username: "zoe",
    },
    idToken: {},
    sign: (claims) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: "RS256", kid: key.jwk.kid ?? "" })
        .sign(key.privateKey),
    answers: {},
    metadata: {},
    keys: [key.jwk],
  });
  const behavior = honest();
  const server = createServer((request, response) => {
    void answer(request, response).catch((cause: unknown) => {
      response.statusCode = 500;
      response.end(String(cause));
    });
  });
  keepConnectionsOpen(server);
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", issuer);
    requests.set(pathname, (requests.get(pathname) ?? 0) + 1);
    const special = behavior.answers[pathname];
    if (typeof special === "function") return special(request, response);
    if (special !== undefined) {
      response.writeHead(special.status ?? 200, { "content-type": special.type ?? "application/json" });
      return void response.end(special.body);
    }
    const send = (body: unknown, status = 200): void => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    if (pathname === "/.well-known/openid-configuration")
      return send({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        userinfo_endpoint: `${issuer}/userinfo`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
        code_challenge_methods_supported: ["S256"],
        authorization_response_iss_parameter_supported: true,
        ...behavior.metadata,
      });
    if (pathname === "/authorize") {
      const code = randomUUID();
      grants.set(code, {
        challenge: searchParams.get("code_challenge") ?? "",
        nonce: searchParams.get("nonce"),
        redirectUri: searchParams.get("redirect_uri") ?? "",
      });
      return send({ code });
    }
    if (pathname === "/jwks") return send({ keys: behavior.keys });
    if (pathname === "/userinfo" || pathname === "/api/v3/user") return send(behavior.user);
    if (pathname === "/token" || pathname === "/login/oauth/access_token") {
      const form = new URLSearchParams(await bodyOf(request));
      const code = form.get("code") ?? "";
      const grant = grants.get(code);
      grants.delete(code);
      const challenge = createHash("sha256")
        .update(form.get("code_verifier") ?? "")
        .digest("base64url");
      if (
        grant === undefined ||
        grant.challenge !== challenge ||
        grant.redirectUri !== form.get("redirect_uri")
      )
        return send({ error: "invalid_grant" }, 400);
      if (pathname !== "/token") return send({ access_token: "at", token_type: "bearer" });
      const seconds = Math.floor(now().getTime() / 1000);
      const claims = {
        ...behavior.user,
        iss: issuer,
        aud: CLIENT.clientId,
        iat: seconds,
        exp: seconds + 60,
        nonce: grant.nonce,
        ...behavior.idToken,
      };
      const id_token = await behavior.sign(JSON.parse(JSON.stringify(claims)) as Claims);
      return send({ access_token: "at", token_type: "bearer", expires_in: 60, id_token });
    }
    send({ error: "not_found" }, 404);
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  issuer = `http://127.0.0.1:${port}`;
  return {
    issuer,
    behavior,
    requests,
    rotateKey: async () => {
      key = await newKey();
      behavior.keys = [key.jwk];
    },
    reset: () => Object.assign(behavior, honest()),
    settings: (changes = {}) => ({
      name: "corp",
      ...PROVIDER_SETTINGS,
      issuer,
      ...CLIENT,
      ...changes,
    }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function newKey() {
  const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
  return {
    privateKey,
    jwk: { ...(await exportJWK(publicKey)), kid: randomUUID(), alg: "RS256", use: "sig" },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

/** Returns a JWT with any header. The function `signature` returns the third part of the JWT. */
export const forgedJwt = (header: Claims, claims: Claims, signature: (input: string) => string): string => {
  const part = (value: Claims) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const input = `${part(header)}.${part(claims)}`;
  return `${input}.${signature(input)}`;
};

/** Returns a function that signs text with a secret (HS256). */
export const hmacOf =
  (secret: string) =>
  (input: string): string =>
    createHmac("sha256", secret).update(input).digest("base64url");

/**
 * Replaces the sign-in providers of the instance with the given providers, as if environment variables had
 * defined these providers.
 */
export function useProviders(deps: TestDeps, providers: readonly ConfiguredProvider[]): void {
  Object.assign(deps, { config: { ...deps.config, identityProviders: providers } });
}

/**
 * An authorization request to an external identity provider: its URL, the cookies of the browser, and the
 * response of Gatehouse that redirects to the URL.
 */
export type ProviderRequest = Readonly<{ url: URL; cookie: string; response: Response }>;

/**
 * Submits the form that starts a sign-in with an identity provider, as the button on the sign-in page does.
 */
export async function startProviderRequest(
  name: string,
  fields: Fields = {},
  cookie = "",
): Promise<ProviderRequest> {
  const request = formPost(`/users/auth/${name}`, encoded({ return_to: "/back", ...fields }), { cookie });
  const response = await postStart(request, { params: Promise.resolve({ provider: name }) });
  const url = /url=(.*)$/.exec(response.headers.get("refresh") ?? "")?.[1] ?? `${ORIGIN}/none`;
  const browser = cookieIn(response, "gatehouse_provider_browser");
  return { url: new URL(url), cookie: [browser, cookie].filter(Boolean).join("; "), response };
}

/** Authenticates at the identity provider, and returns the parameters of its normal response. */
export async function responseOf(
  provider: TestProvider,
  { url }: ProviderRequest,
): Promise<Record<string, string>> {
  const { code } = (await (await fetch(url)).json()) as { code: string };
  return { code, state: url.searchParams.get("state") ?? "", iss: provider.issuer };
}

/** Opens the callback URL of Gatehouse with the parameters of an identity provider's response. */
export const finishProviderRequest = (name: string, parameters: Fields, cookie: string): Promise<Response> =>
  getCallback(
    new Request(`${ORIGIN}/users/auth/${name}/callback?${encoded(parameters)}`, { headers: { cookie } }),
    {
      params: Promise.resolve({ provider: name }),
    },
  );

/**
 * Submits the form that starts a sign-in with an identity provider, and follows all redirects.
 * @param cookie the cookies of the browser.
 */
export async function signInAt(
  provider: TestProvider,
  {
    name = "corp",
    fields = {},
    cookie = "",
  }: Readonly<{ name?: string; fields?: Fields; cookie?: string }> = {},
): Promise<Response> {
  const started = await startProviderRequest(name, fields, cookie);
  return finishProviderRequest(name, await responseOf(provider, started), started.cookie);
}
