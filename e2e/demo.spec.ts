import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { profilePage } from "../demo/web-client/pages.mjs";
import { freePort } from "../scripts/program.mjs";
import { notRunnableWithout } from "../scripts/test-skips.mjs";
import { conformance } from "../src/testing/conformance.ts";
import { expect, test } from "./fixtures.ts";
import { hasGit } from "./git/git.ts";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const ACCESS_TOKEN = /gh[a-z]{2}_/;
const PHONE = { width: 390, height: 844 };

type Demo = Readonly<{
  /** Returns the value of a field in the output of the demo, such as `Password`. */
  printed: (label: string) => string;
  /** Returns the command that the demo printed for another terminal. */
  deviceLine: () => string;
  clientUrl: string;
  gatehouseUrl: string;
  /** The folder in which the demo creates its temporary files. */
  temporaryFiles: () => Promise<string[]>;
  interrupt: () => Promise<number | null>;
  stop: () => Promise<void>;
}>;

type Running = Readonly<{ child: ChildProcess; output: () => string }>;

const stdio: StdioOptions = ["ignore", "pipe", "pipe"];

let demo: Demo;
test.beforeAll(async () => {
  demo = await startDemo();
});

test("a user who denies the request sees the denial in the demo client and stays signed out of the demo client", async ({
  page,
}) => {
  await begin(page);
  await page.getByRole("button", { name: "Deny" }).click();
  await expect(page.getByRole("alert")).toHaveText("You denied the request, so no data was shared.");
  await page.goto(demo.clientUrl);
  await expect(page.getByRole("heading", { name: "Welcome" })).toBeVisible();
});

for (const [name, value] of [
  ["iss", "https://evil.example"],
  ["state", "of-somebody-else"],
] as const)
  test(`the demo client refuses an authorization response with an unexpected ${name}`, async ({ page }) => {
    await begin(page);
    await expect(page.getByRole("button", { name: "Allow" })).toBeVisible();
    const state = new URL(page.url()).searchParams.get("state") ?? "";
    const response = new URLSearchParams({ code: "stolen", state, iss: demo.gatehouseUrl, [name]: value });
    await page.goto(`${demo.clientUrl}/callback?${response}`);
    await expect(page.getByRole("alert")).toContainText(`unexpected "${name}"`);
    await page.goto(demo.clientUrl);
    await expect(page.getByRole("heading", { name: "Welcome" })).toBeVisible();
  });

test("the demo has a merge request with an approval, and shows tracked errors and sign-ins of 30 days", async ({
  page,
}) => {
  test.skip(!hasGit(), notRunnableWithout("git"));
  await page.goto(`${demo.gatehouseUrl}/acme/shop/-/merge_requests/1`);
  await signIn(page);
  await expect(page.getByText("Approved by Linus Pauling.")).toBeVisible();
  await page.goto(`${demo.gatehouseUrl}/acme/shop/-/error_tracking`);
  const row = page.getByRole("row").filter({ hasText: "TypeError" });
  await expect(row.getByRole("cell").nth(2), "the number of events").toHaveText(/\d{3}/);
  await page.goto(`${demo.gatehouseUrl}/user_settings/authorized_applications`);
  await expect(page.getByText("Acme Wiki", { exact: true })).toBeVisible();

  await page.context().clearCookies();
  await page.goto(`${demo.gatehouseUrl}/admin`);
  await signIn(page, "root");
  await page.getByRole("link", { name: "30 days" }).click();
  const events = /^Events of error tracking\. Accepted: \d{3}, .*largest bar is \d\d?\./;
  await expect(page.getByRole("img", { name: events })).toBeVisible();
  await expect(page.getByRole("img", { name: /^Sign-ins\. Succeeded: \d,\d{3}/ })).toBeVisible();
});

// This test must run last, because another sign-in would skip the consent page.
test("a user signs in, allows the request, and sees the profile in the demo client", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await begin(page);
  await expect(page.getByRole("heading", { name: /Demo client wants to use your account/ })).toBeVisible();
  await page.getByRole("button", { name: "Allow" }).click();

  await expect(page.getByRole("heading", { name: "Hello, Ada Lovelace" })).toBeVisible();
  expect(page.url()).toBe(`${demo.clientUrl}/`);
  await expect(page.getByRole("definition")).toContainText(["Ada Lovelace", "ada", "ada@example.com"]);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);

  const cookies = await page.context().cookies(demo.clientUrl);
  expect(cookies).toMatchObject([{ httpOnly: true, sameSite: "Lax" }]);
  expect((await page.content()) + JSON.stringify(cookies)).not.toMatch(ACCESS_TOKEN);

  await page.getByRole("button", { name: "Sign out of this application" }).click();
  await expect(page.getByRole("button", { name: "Sign in with Gatehouse" })).toBeVisible();
});

test(
  conformance("DV-05", "the command line that the demo prints connects a device without a browser"),
  async ({ page }) => {
    const device = startDevice(demo.deviceLine());
    try {
      await expect.poll(device.output).toMatch(/user_code=/);
      await page.goto(/http\S+user_code=\S+/.exec(device.output())?.[0] ?? "");
      await signIn(page);
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("button", { name: "Allow" }).click();
      await expect(page.getByRole("heading", { name: "Your device is connected" })).toBeVisible();
      if (device.child.exitCode === null) await once(device.child, "close");
      expect(device.output()).toContain("This device is connected as Ada Lovelace (@ada, ada@example.com).");
      expect(device.output()).not.toMatch(ACCESS_TOKEN);
      expect(device.child.exitCode).toBe(0);
    } finally {
      device.child.kill();
    }
  },
);

test("the demo client escapes HTML in the values of a profile", () => {
  const html = profilePage({ name: '<img src="x">', username: { text: "<b>" }, email: "a'&b" });
  expect(html).not.toMatch(/<img|<b>/);
  expect(html).toContain("Hello, &lt;img src=&quot;x&quot;&gt;");
  expect(html).toContain("a&#39;&amp;b");
});

test("the demo exits with an error message if a port is in use", async () => {
  const { PORT, CLIENT_PORT } = {
    PORT: new URL(demo.gatehouseUrl).port,
    CLIENT_PORT: String(await freePort()),
  };
  const second = start({ PORT, CLIENT_PORT });
  await once(second.child, "close");
  expect(second.child.exitCode).toBe(1);
  expect(second.output()).toContain(`Port ${PORT} is already in use.`);
});

test("an interruption of the demo ends all processes and leaves no files", async () => {
  expect(await demo.temporaryFiles()).toHaveLength(1);
  expect(await demo.interrupt()).toBe(0);
  expect(await demo.temporaryFiles()).toEqual([]);
  for (const url of [demo.clientUrl, demo.gatehouseUrl]) await expect(fetch(url)).rejects.toThrow();
});

test.afterAll(async () => {
  await demo.stop();
});

async function begin(page: Page): Promise<void> {
  await page.goto(demo.clientUrl);
  await page.getByRole("button", { name: "Sign in with Gatehouse" }).click();
  await signIn(page);
}

async function signIn(page: Page, username = demo.printed("Username")): Promise<void> {
  await page.getByLabel("Username or e-mail").fill(username);
  await page.getByLabel("Password").fill(demo.printed("Password"));
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

async function startDemo(): Promise<Demo> {
  const ports = { PORT: String(await freePort()), CLIENT_PORT: String(await freePort()) };
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-demo-spec-"));
  const { child, output } = start({ ...ports, TMPDIR: folder });
  while (!output().includes("Ctrl-C") && child.exitCode === null) await pause(50);
  if (child.exitCode !== null) throw new Error(`The demo did not start:\n${output()}`);
  const printed = (label: string): string =>
    new RegExp(`^ +${label} +(\\S+)$`, "m").exec(output())?.[1] ?? `no ${label}`;
  const deviceLine = (): string => /^ +(ISSUER=.*)$/m.exec(output())?.[1] ?? "no line";
  const interrupt = async (): Promise<number | null> => {
    const gone = child.exitCode === null ? once(child, "close") : null;
    child.kill("SIGINT");
    await gone;
    return child.exitCode;
  };
  return {
    printed,
    deviceLine,
    clientUrl: `http://127.0.0.1:${ports.CLIENT_PORT}`,
    gatehouseUrl: `http://localhost:${ports.PORT}`,
    temporaryFiles: () => readdir(folder),
    interrupt,
    stop: async () => {
      await interrupt();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const start = (env: Readonly<Record<string, string>>): Running =>
  watched(spawn(process.execPath, ["demo/run.mjs"], { cwd: ROOT, env: { ...process.env, ...env }, stdio }));

/** Runs a command in a shell, in the folder of the project. */
const startDevice = (line: string): Running =>
  watched(spawn("/bin/sh", ["-c", `exec env ${line}`], { cwd: ROOT, stdio }));

function watched(child: ChildProcess): Running {
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  return { child, output: () => output };
}
