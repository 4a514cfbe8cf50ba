import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { startInstance } from "../scripts/instance.mjs";
import { startPostgres } from "../scripts/postgres.mjs";
import { freePort, runProgram } from "../scripts/program.mjs";
import { authorizationQuery, openBrowser, REDIRECT_URI } from "./browser.mjs";
import { newClient, several } from "./client.mjs";
import { boundTokens, newPrivateJwk, publicPart } from "./credentials.mjs";
import { CONNECTIONS } from "./rows.mjs";

/**
 * @import { Later } from "../scripts/temporarily.mjs"
 * @typedef {{ name: string, env?: Record<string, string> }} Variant the name of the folder of the instance,
 * and the environment variables of the instance.
 */

/**
 * The number of device codes in the benchmark. The number of device codes is much smaller than the number of
 * polls per second, so each device polls more often than a real device.
 */
const DEVICE_CODES = 10 * CONNECTIONS;
const TOKENS_ASKED = 10_000;
/** The number of authorization codes in a round. Each authorization code is exchanged once. */
export const CODES = 32 * CONNECTIONS;

/**
 * Starts Gatehouse as `startGatehouse` does, but with a separate PostgreSQL server.
 * @param {string} folder
 * @param {Later} later
 * @param {Variant} variant
 */
export async function startOnPostgresql(folder, later, variant) {
  const server = await startPostgres();
  later(server.stop);
  const DATABASE_URL = server.url("postgres");
  const env = { ...variant.env, DATABASE_URL, GATEHOUSE_SECRET: randomBytes(32).toString("hex") };
  return startGatehouse(folder, later, { ...variant, env });
}

/**
 * Starts Gatehouse as `npm start` does, with a trusted application, which needs no consent, and a public
 * application for devices. The benchmark requests tokens with the OAuth flows that real clients use.
 * @param {string} folder
 * @param {Later} later
 * @param {Variant} variant
 */
export async function startGatehouse(folder, later, { name, env }) {
  const { baseUrl, rootPassword, command, program } = await start(join(folder, name), later, env);
  const { client_id: clientId, client_secret: clientSecret } = await application(command, "--trusted");
  const { client_id: publicClientId } = await application(command, "--public");
  await command("feature", "enable", "oauth2_device_grant_flow");
  await command("setting", "set", "device_poll_interval", "1");
  await command("setting", "set", "limit_client_credentials_per_client", "0");
  await command("setting", "set", "limit_device_request_per_client", "0");
  const privateJwk = newPrivateJwk();
  const { client_id: assertingClientId } = await application(
    command,
    "--client-credentials=read_user",
    undefined,
    ["--auth-method=private_key_jwt", `--jwks=${JSON.stringify({ keys: [publicPart(privateJwk)] })}`],
  );
  const facts = { baseUrl, clientId, clientSecret, publicClientId, assertingClientId, privateJwk };
  const paths = { token: "/oauth/token", deviceAuthorization: "/oauth/authorize_device" };
  const client = newClient(facts, paths);
  const browser = openBrowser(baseUrl);
  await browser.send(`${baseUrl}/users/session`, {
    intent: "sign_in",
    login: "root",
    password: rootPassword,
  });
  const code = () => browser.authorize(`${baseUrl}/oauth/authorize?${authorizationQuery(clientId)}`);
  const tokens = async () => client.exchange(await code());
  const { access_token: accessToken } = await tokens();
  return {
    pid: program.pid,
    facts,
    sources: {
      accessTokens: async () => [accessToken],
      codes: () => several(CODES, code),
      noTokens: async () => [""],
      boundTokens: boundTokens(facts, paths.token, code),
      refreshTokens: async () =>
        (await several(CONNECTIONS, tokens)).map((response) => response.refresh_token),
      deviceCodes: () => several(DEVICE_CODES, client.deviceCode),
    },
  };
}

/**
 * Starts Gatehouse, writes many tokens into its database with a separate program, and returns some of the
 * tokens.
 * @param {string} folder
 * @param {Later} later
 * @param {number} count
 */
export async function startFilled(folder, later, count) {
  const place = join(folder, `tokens-${count}`);
  const { baseUrl, command, program } = await start(place, later);
  const { client_id: clientId, client_secret: clientSecret } = await application(command, "--trusted");
  const file = join(place, "data/gatehouse.db");
  /** @type {readonly string[]} */
  const stored = JSON.parse(await runProgram(["bench/fill.mjs", file, clientId, String(count)], { later }));
  return {
    pid: program.pid,
    facts: { baseUrl, clientId, clientSecret, publicClientId: "", assertingClientId: "", privateJwk: {} },
    sources: {
      storedTokens: async () =>
        Array.from({ length: Math.ceil(TOKENS_ASKED / stored.length) }, () => stored)
          .flat()
          .slice(0, TOKENS_ASKED),
    },
  };
}

/**
 * @param {string} folder
 * @param {Later} later
 * @param {Record<string, string>} [env]
 */
async function start(folder, later, env = {}) {
  await mkdir(folder);
  return startInstance({ port: await freePort(), folder, env, later });
}

/**
 * @param {import("../scripts/instance.mjs").Instance["command"]} command
 * @param {"--trusted" | "--public" | "--client-credentials=read_user"} [kind]
 * @param {string} [scopes]
 * @param {readonly string[]} [more]
 */
export async function application(command, kind, scopes = "read_user", more = []) {
  const options = [
    "--name=Benchmark",
    `--redirect-uri=${REDIRECT_URI}`,
    `--scopes=${scopes}`,
    "--owner=root",
  ];
  const created = await command(
    "application",
    "create",
    ...options,
    ...(kind === undefined ? [] : [kind]),
    ...more,
  );
  return /** @type {{ client_id: string, client_secret: string }} */ (created);
}
