import type { User } from "@/access/principal.ts";
import * as users from "@/identity/users/service.ts";
import type { Deps } from "@/kernel/deps/deps.ts";
import { createPersonalToken } from "@/oauth/personal-access-tokens/service.ts";
import { ORIGIN, PASSWORD } from "./authorization.ts";

type Route = (request: Request, context?: { params: Promise<Record<string, unknown>> }) => Promise<Response>;

/** A request to the API: `path` fills the folders of the route, such as `{ id: "1" }`. */
export type ApiRequest = Readonly<{
  token?: string | undefined;
  path?: Readonly<Record<string, string>>;
  query?: string;
  json?: unknown;
  form?: string;
  address?: string;
}>;

export type ApiResponse = Readonly<{ status: number; headers: Headers; body: unknown }>;

/** Calls a route's method as a client does, without a server. */
export async function callApi(route: Route, method: string, sent: ApiRequest = {}): Promise<ApiResponse> {
  const headers: Record<string, string> = sent.token === undefined ? {} : { "private-token": sent.token };
  if (sent.json !== undefined) headers["content-type"] = "application/json";
  if (sent.form !== undefined) headers["content-type"] = "application/x-www-form-urlencoded";
  const body = sent.json === undefined ? sent.form : JSON.stringify(sent.json);
  const url = `${ORIGIN}${sent.address ?? "/api/v4/x"}${sent.query ?? ""}`;
  const request = new Request(url, { method, headers, ...(body === undefined ? {} : { body }) });
  const response = await route(request, { params: Promise.resolve({ ...sent.path }) });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : text || null,
  };
}

/** Somebody with an account and a token of theirs for everything. */
export type ApiUser = Readonly<{ user: User; token: string }>;

export async function apiUser(
  deps: Deps,
  username: string,
  { admin = false, scopes = ["api"] }: Readonly<{ admin?: boolean; scopes?: readonly string[] }> = {},
): Promise<ApiUser> {
  const email = `${username}@example.com`;
  const made = await users.create(deps, { username, email, password: PASSWORD, admin });
  if ("problems" in made) throw new Error(JSON.stringify(made.problems));
  return { user: made.user, token: await tokenWith(deps, made.user, scopes) };
}

/** A personal access token with these scopes. */
export async function tokenWith(deps: Deps, user: User, scopes: readonly string[]): Promise<string> {
  const token = await createPersonalToken(deps, user, { name: "test", scopes, expiresAt: null });
  if ("problems" in token) throw new Error(JSON.stringify(token.problems));
  return token.value;
}
