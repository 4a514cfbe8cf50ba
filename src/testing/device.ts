import { POST as postAuthorizeDevice } from "@app/oauth/authorize_device/route.ts";
import { POST as postDecision } from "@app/oauth/device/decision/route.ts";
import { GET as getDevice, POST as postDevice } from "@app/oauth/device/route.ts";
import { POST as postTokenRoute } from "@app/oauth/token/route.ts";
import { expect } from "vitest";
import { setFlag } from "@/instance/flags/service.ts";
import type { Deps } from "@/kernel/deps/deps.ts";
import { type Client, encoded, type Fields, formPost, ORIGIN, type SignedInUser } from "./authorization.ts";
import { credentialsOf } from "./tokens.ts";

export const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

export const switchDeviceGrant = (deps: Deps, on: boolean): Promise<void> =>
  setFlag(deps, "oauth2_device_grant_flow", on);

type HeaderFields = Readonly<Record<string, string>>;
export type DeviceResponse = Readonly<{ status: number; headers: Headers; body: Record<string, unknown> }>;

/**
 * Parses the response that a device receives. The function checks that the response is JSON with `no-store`,
 * and that a response with the status 400 has no challenge.
 */
async function deviceResponseOf(response: Response): Promise<DeviceResponse> {
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("pragma")).toBe("no-cache");
  if (response.status === 400) expect(response.headers.has("www-authenticate")).toBe(false);
  const body: Record<string, unknown> = await response.json();
  if (response.status !== 200)
    expect(body).toMatchObject({ error: expect.any(String), error_description: expect.any(String) });
  return { status: response.status, headers: response.headers, body };
}

const machinePost = (path: string, fields: Fields, headers: HeaderFields): Request =>
  new Request(ORIGIN + path, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: encoded(fields),
  });

/** Sends `POST /oauth/authorize_device`. */
export const requestDevice = async (fields: Fields, headers: HeaderFields = {}): Promise<DeviceResponse> =>
  deviceResponseOf(await postAuthorizeDevice(machinePost("/oauth/authorize_device", fields, headers)));

export type Codes = Readonly<{ deviceCode: string; userCode: string }>;

/** Starts a device authorization. @returns the device code and the user code. */
export async function codesFor(
  client: Client,
  changes: Fields = {},
  headers: HeaderFields = {},
): Promise<Codes> {
  const { status, body } = await requestDevice({ ...credentialsOf(client), ...changes }, headers);
  expect({ status, body }).toMatchObject({ status: 200 });
  return { deviceCode: String(body["device_code"]), userCode: String(body["user_code"]) };
}

/** Polls `POST /oauth/token` as a device. */
export const poll = async (
  client: Client,
  deviceCode: string,
  changes: Fields = {},
): Promise<DeviceResponse> =>
  deviceResponseOf(
    await postTokenRoute(
      machinePost(
        "/oauth/token",
        { grant_type: DEVICE_GRANT, ...credentialsOf(client), device_code: deviceCode, ...changes },
        {},
      ),
    ),
  );

/**
 * Polls the token endpoint as a device. The result is the error of a response with the status 400, or
 * `issued` if tokens were issued.
 */
export async function pollError(client: Client, deviceCode: string): Promise<string> {
  const { status, body } = await poll(client, deviceCode);
  expect([200, 400]).toContain(status);
  return status === 200 ? "issued" : String(body["error"]);
}

/** A page and the hidden fields of its form. */
export type Page = Readonly<{ status: number; headers: Headers; html: string; fields: Fields }>;

async function pageOf(response: Response): Promise<Page> {
  const html = await response.text();
  return { status: response.status, headers: response.headers, html, fields: hiddenFields(html) };
}

/** Returns the hidden fields of the only form of a page. */
const hiddenFields = (html: string): Fields =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map((match) => [
      match[1] ?? "",
      match[2],
    ]),
  );

/** Sends `GET /oauth/device` with the unchanged query `query`. */
export const openDevicePage = async (user: SignedInUser | null, query = ""): Promise<Page> =>
  pageOf(
    await getDevice(
      new Request(`${ORIGIN}/oauth/device${query}`, {
        headers: user === null ? {} : { cookie: user.cookie },
      }),
    ),
  );

/** Posts fields to `/oauth/device` or `/oauth/device/decision`. */
export async function postDeviceForm(
  user: SignedInUser | null,
  path: "" | "/decision",
  fields: Fields,
  headers: HeaderFields = {},
): Promise<Page> {
  const cookie: HeaderFields = user === null ? {} : { cookie: user.cookie };
  const request = formPost(`/oauth/device${path}`, encoded(fields), { ...cookie, ...headers });
  return pageOf(await (path === "" ? postDevice(request) : postDecision(request)));
}

/** Opens the form for the user code, and submits a user code. */
export async function enterUserCode(
  user: SignedInUser,
  typed: string,
  headers: HeaderFields = {},
): Promise<Page> {
  const { fields } = await openDevicePage(user);
  return postDeviceForm(user, "", { ...fields, user_code: typed }, headers);
}

/** Submits a decision on the confirmation card that `enterUserCode` returned. */
export const submitDecision = (user: SignedInUser, card: Page, decision: string): Promise<Page> =>
  postDeviceForm(user, "/decision", { ...card.fields, decision });

/** Enters the user code and submits a decision. */
export const decideDevice = async (user: SignedInUser, userCode: string, decision: string): Promise<Page> =>
  submitDecision(user, await enterUserCode(user, userCode), decision);
