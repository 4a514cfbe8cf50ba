import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Page } from "@playwright/test";
import * as oauth from "oauth4webapi";
import { conformance } from "../../src/testing/conformance.ts";
import type { Instance } from "../instance.ts";
import {
  authenticationOf,
  callApi,
  expect,
  open,
  type Registered,
  serverOf,
  signIn,
  test,
} from "./fixtures.ts";

const FLAG = "oauth2_device_grant_flow";
const insecure = { [oauth.allowInsecureRequests]: true };

// Restores the settings, because other specs of the worker share the instance.
test.beforeAll(async ({ instance }) => void (await instance.cli("feature", "enable", FLAG)));
test.afterAll(async ({ instance }) => void (await instance.cli("feature", "disable", FLAG)));

const deviceServerOf = (instance: Instance): oauth.AuthorizationServer => ({
  ...serverOf(instance),
  device_authorization_endpoint: `${instance.baseUrl}/oauth/authorize_device`,
});

/** Requests a device code and a user code with the client library. */
async function requestCodes(
  instance: Instance,
  client: Registered,
): Promise<oauth.DeviceAuthorizationResponse> {
  const server = deviceServerOf(instance);
  const parameters = new URLSearchParams({ scope: "read_user" });
  const authentication = authenticationOf(client);
  const response = await oauth.deviceAuthorizationRequest(
    server,
    client,
    authentication,
    parameters,
    insecure,
  );
  return oauth.processDeviceAuthorizationResponse(server, client, response);
}

/**
 * Polls the token endpoint once with the client library.
 * @throws the OAuth errors that the library reports.
 */
async function poll(
  instance: Instance,
  client: Registered,
  device: oauth.DeviceAuthorizationResponse,
): Promise<oauth.TokenEndpointResponse> {
  const server = deviceServerOf(instance);
  const authentication = authenticationOf(client);
  const code = device.device_code;
  const response = await oauth.deviceCodeGrantRequest(server, client, authentication, code, insecure);
  return oauth.processDeviceCodeResponse(server, client, response);
}

const press = (page: Page, name: string): Promise<void> => page.getByRole("button", { name }).click();

/** Asserts that the API accepts the tokens, and that a refresh returns tokens that the API accepts. */
async function expectTokensWork(
  instance: Instance,
  client: Registered,
  tokens: oauth.TokenEndpointResponse,
): Promise<void> {
  expect(tokens).toMatchObject({ token_type: "bearer", scope: "read_user" });
  expect((await callApi(instance, tokens.access_token)).status).toBe(200);
  const server = deviceServerOf(instance);
  const authentication = authenticationOf(client);
  const refresh = tokens.refresh_token ?? "";
  const response = await oauth.refreshTokenGrantRequest(server, client, authentication, refresh, insecure);
  const next = await oauth.processRefreshTokenResponse(server, client, response);
  expect((await callApi(instance, next.access_token)).status).toBe(200);
  expect((await oldTokenStatus(instance, tokens.access_token)).status).toBe(401);
}

const oldTokenStatus = (instance: Instance, token: string): Promise<Response> =>
  fetch(`${instance.baseUrl}/api/v4/user`, { headers: { authorization: `Bearer ${token}` } });

test(
  conformance(
    "DV-02",
    "DV-04",
    "DV-05",
    "DV-08",
    "a user connects a device by typing the user code, and the device refreshes its tokens",
  ),
  async ({ page, instance, clients }) => {
    const { publicClient } = clients;
    const device = await requestCodes(instance, publicClient);
    expect(device).toMatchObject({ expires_in: 300, interval: 5 });
    await expect(poll(instance, publicClient, device)).rejects.toMatchObject({
      status: 400,
      error: "authorization_pending",
    });
    await open(page, instance, device.verification_uri);
    await page.getByLabel("Code on your device").fill(device.user_code.replace("-", " ").toLowerCase());
    await press(page, "Continue");
    await expect(page.getByRole("heading", { name: "Is this the code on your device?" })).toBeVisible();
    for (const text of [device.user_code, "Acme CLI", "@root", "Read your profile"])
      await expect(page.getByText(text, { exact: true })).toBeVisible();
    await press(page, "Allow");
    await expect(page.getByRole("heading", { name: "Your device is connected" })).toBeVisible();
    const tokens = await poll(instance, publicClient, device);
    await expect(poll(instance, publicClient, device)).rejects.toMatchObject({ error: "invalid_grant" });
    await expectTokensWork(instance, publicClient, tokens);
  },
);

test(
  conformance(
    "DV-01",
    "DV-03",
    "AT-20",
    "a link with a user code fills in the code after the sign-in, but the user still has to confirm the code",
  ),
  async ({ page, instance, clients }) => {
    const { publicClient } = clients;
    const device = await requestCodes(instance, publicClient);
    await page.goto(device.verification_uri_complete ?? "");
    await expect(page.getByRole("button", { name: "Sign in", exact: true })).toBeVisible();
    await signIn(page, instance);
    await expect(page.getByLabel("Code on your device")).toHaveValue(device.user_code);
    await expect(poll(instance, publicClient, device)).rejects.toMatchObject({
      error: "authorization_pending",
    });
    await press(page, "Continue");
    await expect(page.getByText("Did someone send you this link or code?")).toBeVisible();
    await press(page, "Allow");
    await expect(page.getByRole("heading", { name: "Your device is connected" })).toBeVisible();
    await expectTokensWork(instance, publicClient, await poll(instance, publicClient, device));
  },
);

for (const button of ["Deny", "I did not request access"])
  test(
    conformance(
      "DV-06",
      "DT-06",
      `after the user presses "${button}", every poll of the device returns access_denied`,
    ),
    async ({ page, instance, clients }) => {
      const { publicClient } = clients;
      const device = await requestCodes(instance, publicClient);
      await open(page, instance, device.verification_uri_complete ?? "");
      await press(page, "Continue");
      await press(page, button);
      await expect(page.getByRole("heading", { name: "Access denied" })).toBeVisible();
      for (let polls = 0; polls < 2; polls++)
        await expect(poll(instance, publicClient, device)).rejects.toMatchObject({ error: "access_denied" });
    },
  );

test(
  conformance("DV-12", "the device flow works without JavaScript, with only the keyboard"),
  async ({ browser, instance, clients }) => {
    const { confidential } = clients;
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const device = await requestCodes(instance, confidential);
    await open(page, instance, device.verification_uri);
    await expect(page.getByLabel("Code on your device")).toBeFocused();
    await page.keyboard.type(device.user_code);
    await page.keyboard.press("Enter");
    const allow = page.getByRole("button", { name: "Allow" });
    await expect(allow).toBeVisible();
    for (let steps = 0; steps < 10; steps++) {
      await page.keyboard.press("Tab");
      if (await allow.evaluate((element) => element === document.activeElement)) break;
    }
    await expect(allow).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Your device is connected" })).toBeVisible();
    await expectTokensWork(instance, confidential, await poll(instance, confidential, device));
    await context.close();
  },
);

test(
  conformance(
    "DV-07",
    "the device form shows an error for a wrong code and accepts the correct code afterwards",
  ),
  async ({ page, instance, clients }) => {
    const device = await requestCodes(instance, clients.publicClient);
    await open(page, instance, device.verification_uri);
    await page.getByLabel("Code on your device").fill("BCDF-GHJK");
    await press(page, "Continue");
    await expect(page.getByRole("alert")).toContainText("This code is not valid");
    await page.getByLabel("Code on your device").fill(device.user_code);
    await press(page, "Continue");
    await press(page, "Deny");
    await expect(page.getByRole("heading", { name: "Access denied" })).toBeVisible();
  },
);

test(
  conformance("DT-02", "a device that polls too fast receives slow_down"),
  async ({ instance, clients }) => {
    const { publicClient } = clients;
    // With the default interval, the second poll could be late enough on a busy machine.
    await instance.cli("setting", "set", "device_poll_interval", "40");
    const device = await requestCodes(instance, publicClient);
    await expect(poll(instance, publicClient, device)).rejects.toMatchObject({
      error: "authorization_pending",
    });
    for (const interval of [45, 50])
      await expect(poll(instance, publicClient, device)).rejects.toMatchObject({
        status: 400,
        error: "slow_down",
        cause: { interval },
      });
    await instance.cli("setting", "set", "device_poll_interval", "5");
  },
);

test(
  conformance("DV-05", "the terminal client of the demo connects with a code that the user allows"),
  async ({ page, instance, clients }) => {
    const program = spawn(process.execPath, ["demo/device-client/client.mjs"], {
      env: { ...process.env, ISSUER: instance.baseUrl, CLIENT_ID: clients.publicClient.client_id },
      stdio: ["ignore", "pipe", "pipe"],
    });
    try {
      const output = outputOf(program);
      await expect.poll(output).toMatch(/user_code=/);
      const url = /http\S+user_code=\S+/.exec(output())?.[0] ?? "";
      await open(page, instance, url);
      await press(page, "Continue");
      await press(page, "Allow");
      await expect(page.getByRole("heading", { name: "Your device is connected" })).toBeVisible();
      if (program.exitCode === null) await once(program, "close");
      expect(output()).toContain("This device is connected as");
      expect(program.exitCode).toBe(0);
    } finally {
      program.kill();
    }
  },
);

function outputOf(program: ChildProcess): () => string {
  let output = "";
  for (const stream of [program.stdout, program.stderr])
    stream?.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  return () => output;
}

test(
  conformance("DA-05", "an administrator enables the device grant on the feature flags page"),
  async ({ page, instance, clients }) => {
    await instance.cli("feature", "disable", FLAG);
    const response = await page.goto(`${instance.baseUrl}/oauth/device`);
    expect(response?.status()).toBe(404);
    await expect(page.getByRole("heading", { name: "Devices cannot be connected here" })).toBeVisible();
    await expect(requestCodes(instance, clients.publicClient)).rejects.toMatchObject({
      status: 404,
      error: "unsupported_grant_type",
    });
    await page.getByRole("link", { name: "Sign in", exact: true }).click();
    await signIn(page, instance);
    await press(page, "Enable for all users");
    await expect(page.getByLabel("Code on your device")).toBeVisible();
    expect((await requestCodes(instance, clients.publicClient)).interval).toBe(5);
  },
);
