import { POST as postIntrospect } from "@app/oauth/introspect/route.ts";
import { POST as postRevoke } from "@app/oauth/revoke/route.ts";
import { GET as getTokenInfo } from "@app/oauth/token/info/route.ts";
import { expect } from "vitest";
import type { Deps } from "@/kernel/deps/deps.ts";
import {
  authorizationQuery,
  type Client,
  codeFor,
  encoded,
  exchangeOf,
  type Fields,
  ORIGIN,
  requestToken,
  type SignedInUser,
} from "./authorization.ts";

/** An access token and its refresh token. */
export type Tokens = Readonly<{ access: string; refresh: string }>;

export function tokensIn({ status, body }: Pick<TokenEndpointResponse, "status" | "body">): Tokens {
  expect({ status, body }).toMatchObject({ status: 200 });
  return { access: String(body["access_token"]), refresh: String(body["refresh_token"]) };
}

/** Runs the authorization code flow. @returns the tokens. */
export async function grantedTokens(
  deps: Deps,
  user: SignedInUser,
  client: Client,
  changes: Fields = {},
): Promise<Tokens> {
  const code = await codeFor(deps, user, authorizationQuery(client, changes));
  return tokensIn(await requestToken(exchangeOf(client, code)));
}

/** Returns the form fields with the client credentials. */
export const credentialsOf = (client: Client): Fields => ({
  client_id: client.id,
  client_secret: client.secret,
});

/** Returns the form of a refresh request. */
export const refreshOf = (client: Client, refreshToken: string, changes: Fields = {}): Fields => ({
  grant_type: "refresh_token",
  ...credentialsOf(client),
  refresh_token: refreshToken,
  ...changes,
});

type TokenEndpointResponse = Readonly<{ status: number; headers: Headers; body: Record<string, unknown> }>;

async function responseOf(response: Response): Promise<TokenEndpointResponse> {
  expect(response.headers.get("cache-control")).toContain("no-store");
  if (response.status === 400) expect(response.headers.has("www-authenticate")).toBe(false);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const form = (path: string, fields: Fields, headers: Readonly<Record<string, string>>): Request =>
  new Request(`${ORIGIN}${path}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: encoded(fields),
  });

/** Sends `POST /oauth/revoke`. */
export const revoke = async (
  fields: Fields,
  headers: Readonly<Record<string, string>> = {},
): Promise<TokenEndpointResponse> => responseOf(await postRevoke(form("/oauth/revoke", fields, headers)));

/** Sends `POST /oauth/introspect`. */
export const introspect = async (
  fields: Fields,
  headers: Readonly<Record<string, string>> = {},
): Promise<TokenEndpointResponse> =>
  responseOf(await postIntrospect(form("/oauth/introspect", fields, headers)));

/** Sends `GET /oauth/token/info`. */
export const tokenInfo = async (
  headers: Readonly<Record<string, string>>,
  query: Fields = {},
): Promise<TokenEndpointResponse> =>
  responseOf(await getTokenInfo(new Request(`${ORIGIN}/oauth/token/info?${encoded(query)}`, { headers })));

export const bearer = (token: string): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${token}`,
});
