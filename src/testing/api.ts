import type { User } from "@/access/principal.ts";
import * as users from "@/identity/users/service.ts";
import type { Deps } from "@/kernel/deps/deps.ts";
import { createPersonalToken } from "@/oauth/personal-access-tokens/service.ts";
import { ORIGIN, PASSWORD } from "./authorization.ts";

type Route = (request: Request, context?: { params: Promise<Record<string, unknown>> }) => Promise<Response>;

/** A request to the API. `path` contains the values of the route parameters, such as `{ id: "1" }`. */
export type ApiRequest = Readonly<{
  token?: string | undefined;
  path?: Readonly<Record<string, string>>;
  query?: string;
  json?: unknown;
  form?: string;
  pathname?: string;
}>;

export type ApiResponse = Readonly<{ status: number; headers: Headers; body: unknown }>;

/** Calls a method of a route file directly, without an HTTP server. */
export async function callApi(route: Route, method: string, input: ApiRequest = {}): Promise<ApiResponse> {
  const headers: Record<string, string> = input.token === undefined ? {} : { "private-token": input.token };
  if (input.json !== undefined) headers["content-type"] = "application/json";
  if (input.form !== undefined) headers["content-type"] = "application/x-www-form-urlencoded";
  const body = input.json === undefined ? input.form : JSON.stringify(input.json);
  const url = `${ORIGIN}${input.pathname ?? "/api/v4/x"}${input.query ?? ""}`;
  const request = new Request(url, { method, headers, ...(body === undefined ? {} : { body }) });
  const response = await route(request, { params: Promise.resolve({ ...input.path }) });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : text || null,
  };
}

/** A user and a personal access token. */
export type ApiUser = Readonly<{ user: User; token: string }>;

export async function apiUser(
  deps: Deps,
  username: string,
  { admin = false, scopes = ["api"] }: Readonly<{ admin?: boolean; scopes?: readonly string[] }> = {},
): Promise<ApiUser> {
  const email = `${username}@example.com`;
  const created = await users.create(deps, { username, email, password: PASSWORD, admin });
  if ("problems" in created) throw new Error(JSON.stringify(created.problems));
  return { user: created.user, token: await tokenWith(deps, created.user, scopes) };
}

/**
 * Creates a personal access token with the given scopes.
 * @returns the value of the token.
 */
export async function tokenWith(deps: Deps, user: User, scopes: readonly string[]): Promise<string> {
  const token = await createPersonalToken(deps, user, { name: "test", scopes, expiresAt: null });
  if ("problems" in token) throw new Error(JSON.stringify(token.problems));
  return token.value;
}
