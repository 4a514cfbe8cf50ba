import "../scripts/prepare-node.mjs";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { startInstance } from "../scripts/instance.mjs";
import { prepare } from "../scripts/prepare.mjs";
import { ROOT, runCommand, StepFailed, step } from "../scripts/prepare-step.mjs";
import { isFree, startProgram, untilItAnswers } from "../scripts/program.mjs";
import { temporarily } from "../scripts/temporarily.mjs";
import { APPLICATIONS, authorizeApplications, createDemoData, USERS } from "./data.mjs";
import { writeHistory } from "./history.mjs";

/** @param {string} clientUrl */
const applicationAt = (clientUrl) => ({
  name: "Demo client",
  "redirect-uri": `${clientUrl}/callback`,
  scopes: "read_user",
  owner: "root",
});

/**
 * The OAuth application that the terminal client uses. Every application must have a redirect URI, although
 * the device flow does not use a redirect URI.
 */
const DEVICE_APPLICATION = {
  name: "Demo device",
  "redirect-uri": "http://127.0.0.1/callback",
  scopes: "read_user",
  owner: "root",
};

/**
 * @param {Record<string, string>} values each value is joined to its name with `=`, because a value may begin with a
 * dash.
 */
const options = (values) => Object.entries(values).map(([name, value]) => `--${name}=${value}`);

/**
 * @param {{ baseUrl: string, rootPassword: string }} instance
 * @param {{ clientUrl: string, deviceClientId: string }} access
 */
const invitation = ({ baseUrl, rootPassword }, { clientUrl, deviceClientId }) => `
Open ${clientUrl} in a browser, choose "Sign in with Gatehouse", and sign in as

  Username  ${USERS[0]?.username}
  Password  ${rootPassword}

The other users are ${USERS.slice(1)
  .map(({ username }) => username)
  .join(", ")} and the administrator root, with the same password.

To sign in from a device without a browser, run this command in another terminal:

  ISSUER=${baseUrl} CLIENT_ID=${deviceClientId} node demo/device-client/client.mjs

Gatehouse itself is at ${baseUrl}. Open ${baseUrl}/acme/shop to view the tracked errors and the
merge request. Sign in as root to view the usage statistics at ${baseUrl}/admin?period=30d

Press Ctrl-C to stop Gatehouse and the client application, and to delete their data.`;

/**
 * Opens a URL in the browser of the user. The function does nothing without a terminal, in continuous
 * integration, or without a graphical environment.
 * @param {string} url
 */
function openBrowser(url) {
  const { CI, DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (!process.stdout.isTTY || CI) return;
  const [program, ...args] =
    process.platform === "darwin"
      ? ["open"]
      : process.platform === "win32"
        ? ["cmd", "/c", "start", ""]
        : DISPLAY || WAYLAND_DISPLAY
          ? ["xdg-open"]
          : [];
  if (program === undefined) return;
  const browser = spawn(program, [...args, url], { detached: true, stdio: "ignore" });
  // If the program that opens URLs is missing, the user can still open the printed URL.
  browser.on("error", () => undefined);
  browser.unref();
}

process.chdir(ROOT);
await runCommand(async () => {
  const ports = { PORT: portIn("PORT", 3000), CLIENT_PORT: portIn("CLIENT_PORT", 4000) };
  await prepare({ pages: true, packages: "development" });
  for (const [variable, port] of Object.entries(ports)) await refuseTaken(variable, port);
  // Ctrl-C is the normal way to end the demo.
  await temporarily({ interruptedStatus: 0 }, (folder, later) => demo(folder, later, ports));
});

/**
 * @param {string} folder
 * @param {import("../scripts/temporarily.mjs").Later} later
 * @param {{ PORT: number, CLIENT_PORT: number }} ports
 */
async function demo(folder, later, ports) {
  const env = { LOG_LEVEL: "warn" };
  const instance = await step("Starting Gatehouse", () =>
    startInstance({ port: ports.PORT, folder, env, later }),
  );
  const password = instance.rootPassword;
  const clientUrl = `http://127.0.0.1:${ports.CLIENT_PORT}`;
  /**
   * @param {ReturnType<typeof applicationAt>} application
   * @param {readonly string[]} kind
   */
  const register = async (application, ...kind) => {
    const registered = await instance.command("application", "create", ...options(application), ...kind);
    return /** @type {{ client_id: string, client_secret: string }} */ (registered);
  };
  const [registered, device, ...applications] = await step("Creating users and applications", async () => {
    await Promise.all([
      ...USERS.map((user) => instance.command("user", "create", ...options({ ...user, password }))),
      instance.command("feature", "enable", "oauth2_device_grant_flow"),
    ]);
    return Promise.all([
      register(applicationAt(clientUrl)),
      register(DEVICE_APPLICATION, "--public"),
      ...APPLICATIONS.map((application) => register(application)),
    ]);
  });
  if (!registered || !device) throw new Error("The applications of the demo were not registered.");
  await step("Creating projects, a merge request and the events of 30 days", async () => {
    await createDemoData(instance, folder);
    await authorizeApplications(instance, applications);
    const clientIds = [...applications, registered].map(({ client_id }) => client_id);
    writeHistory(join(folder, "data/gatehouse.db"), { clientIds, now: new Date() });
  });
  const client = await step("Starting the client application", async () => {
    const program = startProgram(["demo/web-client/server.mjs"], {
      env: {
        PORT: String(ports.CLIENT_PORT),
        ISSUER: instance.baseUrl,
        CLIENT_ID: registered.client_id,
        CLIENT_SECRET: registered.client_secret,
      },
      logFile: join(folder, "client.log"),
    });
    later(program.stop);
    await untilItAnswers(clientUrl, program);
    return program;
  });
  console.log(invitation(instance, { clientUrl, deviceClientId: device.client_id }));
  openBrowser(clientUrl);
  await Promise.race([instance.program.ended, client.ended]);
  const gone = client.isRunning() ? instance.program : client;
  throw new StepFailed(`A program of the demo has ended unexpectedly:\n${gone.output()}`);
}

/**
 * @param {string} variable
 * @param {number} fallback
 */
function portIn(variable, fallback) {
  const port = Number(process.env[variable] || fallback);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new StepFailed(`${variable} must be a port, from 1 to 65535.`);
  return port;
}

/**
 * @param {string} variable
 * @param {number} port
 */
async function refuseTaken(variable, port) {
  if (!(await isFree(port)))
    throw new StepFailed(
      `Port ${port} is already in use. Stop the program that listens on this port, or set ${variable} to another port.`,
    );
}
