import type { Page } from "@playwright/test";
import { hiddenFields } from "../../scripts/hidden-fields.mjs";
import type { Options } from "../instance.ts";
import { type Instance, startBeside, startInstance } from "../instance.ts";
import { type Registered, register, signIn } from "./fixtures.ts";

const REDIRECT_URI = "https://client.example/callback";
/** The value of the setting `code_reuse_leeway` in seconds. */
export const CODE_REUSE_LEEWAY = "60";
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

type Form = Readonly<Record<string, string>>;
export type TokenResponse = Readonly<{ status: number; body: Readonly<Record<string, unknown>> }>;

/** A pair of tokens from a token response. */
export type Pair = Readonly<{ access_token: string; refresh_token: string }>;

/**
 * Two server processes on one database, and a trusted application, which gets authorization codes without
 * consent.
 */
export type TwoProcesses = Readonly<{
  instance: Instance;
  origins: readonly [string, string];
  /** The `client_id` of the application. */
  clientId: string;
  /** A page in which the user is signed in. */
  page: Page;
  /**
   * Posts a form to one of the two processes. Callers with even numbers use the first process, and callers
   * with odd numbers use the second process.
   */
  post: (caller: number, path: string, form: Form, headers?: Form) => Promise<TokenResponse>;
  /** Posts a form like `post`, but without the credentials of the application. */
  postAlone: (caller: number, path: string, form: Form) => Promise<TokenResponse>;
  newCode: () => Promise<string>;
  /**
   * Creates a device code. The returned function `approve` approves the device as the user who is signed in.
   */
  newDevice: () => Promise<{ deviceCode: string; approve: () => Promise<void> }>;
  /** Returns the statuses of both processes for an API request with this token. */
  apiStatuses: (accessToken: string) => Promise<readonly number[]>;
  stop: () => Promise<void>;
}>;

export const codeGrant = (code: string): Form => ({
  grant_type: "authorization_code",
  code,
  redirect_uri: REDIRECT_URI,
});
export const refreshGrant = (refresh_token: string): Form => ({ grant_type: "refresh_token", refresh_token });
export const deviceGrant = (device_code: string): Form => ({ grant_type: DEVICE_GRANT, device_code });

/**
 * Starts both processes and signs in. The rate limit for refused OAuth requests is disabled, because most of
 * the simultaneous requests of a race test fail.
 */
export async function startTwo(
  page: Page,
  database: NonNullable<Options["database"]>,
): Promise<TwoProcesses> {
  const instance = await startInstance({ database });
  const second = await startBeside(instance);
  await instance.cli("setting", "set", "limit_oauth_refused", "0");
  // On a busy machine, the last request of a race can be processed many seconds after the first.
  await instance.cli("setting", "set", "code_reuse_leeway", CODE_REUSE_LEEWAY);
  await instance.cli("setting", "set", "refresh_reuse_leeway", "600");
  await instance.cli("feature", "enable", "oauth2_device_grant_flow");
  const about = ["--name", "Racer", "--redirect-uri", REDIRECT_URI, "--scopes", "read_user"];
  const client = await register(instance, ...about, "--owner", "root", "--trusted");
  await page.goto(`${instance.baseUrl}/`);
  await signIn(page, instance);
  await page.getByRole("heading", { name: /^Gatehouse at/ }).waitFor();
  const origins = [instance.baseUrl, second.url] as const;
  const postAlone = (caller: number, path: string, form: Form, headers: Form = {}) =>
    send(origins[caller % 2 === 0 ? 0 : 1] + path, form, headers);
  const post = (caller: number, path: string, form: Form, headers: Form = {}) =>
    postAlone(caller, path, { ...credentialsOf(client), ...form }, headers);
  return {
    instance,
    origins,
    clientId: client.client_id,
    page,
    post,
    postAlone,
    newCode: () => codeFor(page, instance, client),
    newDevice: async () => {
      const { body } = await post(0, "/oauth/authorize_device", { scope: "read_user" });
      return {
        deviceCode: String(body["device_code"]),
        approve: () => approve(page, instance, String(body["user_code"])),
      };
    },
    apiStatuses: (accessToken) => Promise.all(origins.map((origin) => apiStatus(origin, accessToken))),
    stop: async () => {
      await second.stop();
      await instance.stop();
    },
  };
}

const credentialsOf = ({ client_id, client_secret = "" }: Registered): Form => ({ client_id, client_secret });

async function send(url: string, form: Form, headers: Form): Promise<TokenResponse> {
  const response = await fetch(url, { method: "POST", body: new URLSearchParams(form), headers });
  return { status: response.status, body: await response.json() };
}

async function apiStatus(origin: string, token: string): Promise<number> {
  const response = await fetch(`${origin}/api/v4/user`, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  return response.status;
}

/** Returns an authorization code of a trusted application for the user who is signed in. */
export async function codeFor(page: Page, instance: Instance, client: Registered): Promise<string> {
  const parameters = { client_id: client.client_id, redirect_uri: REDIRECT_URI, response_type: "code" };
  const query = new URLSearchParams({ ...parameters, scope: "read_user" });
  const url = `${instance.baseUrl}/oauth/authorize?${query}`;
  const response = await page.request.get(url, { maxRedirects: 0 });
  return new URL(response.headers()["location"] ?? "").searchParams.get("code") ?? "";
}

/** Enters a user code on the device page, and approves the request, by posting the forms of the pages. */
async function approve(page: Page, instance: Instance, userCode: string): Promise<void> {
  const at = `${instance.baseUrl}/oauth/device`;
  const headers = { origin: instance.baseUrl };
  const entry = hiddenFields(await (await page.request.get(at)).text());
  const form = { ...entry, user_code: userCode };
  const card = hiddenFields(await (await page.request.post(at, { form, headers })).text());
  const decision = { ...card, decision: "allow" };
  const response = await page.request.post(`${at}/decision`, { form: decision, headers });
  if (response.status() !== 200) throw new Error(await response.text());
}
