import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { hoursOf } from "./history.mjs";

/** @typedef {import("../scripts/instance.mjs").Instance} Instance */
/** @typedef {(method: string, path: string, body?: object) => Promise<any>} Call */

const run = promisify(execFile);

/** The users of the demo. All users have the same password. */
export const USERS = [
  { username: "ada", name: "Ada Lovelace", email: "ada@example.com" },
  { username: "grace", name: "Grace Hopper", email: "grace@example.com" },
  { username: "linus", name: "Linus Pauling", email: "linus@example.com" },
];

/** The applications of the users, in addition to the two applications that the demo runs. */
export const APPLICATIONS = [
  {
    name: "Acme Wiki",
    "redirect-uri": "https://wiki.acme.example/auth",
    scopes: "openid email",
    owner: "ada",
  },
  {
    name: "Acme Deploy",
    "redirect-uri": "https://deploy.acme.example/callback",
    scopes: "read_user read_repository",
    owner: "grace",
  },
  {
    name: "Acme Dashboard",
    "redirect-uri": "https://dashboard.acme.example/oauth",
    scopes: "openid profile read_api",
    owner: "linus",
  },
];

const CHECKOUT = `export function total(cart) {
  return cart.items.map((item) => item.price.amount).reduce((sum, amount) => sum + amount, 0);
}
`;

const FIXED = `export function total(cart) {
  const prices = cart.items.flatMap((item) => item.price ?? []);
  return prices.reduce((sum, { amount }) => sum + amount, 0);
}
`;

const README = `# Shop

The shop of Acme. See [the checkout](src/checkout.js).

| Environment | URL |
|---|---|
| production | https://shop.acme.example |

- [x] Carts
- [ ] Vouchers
`;

const DESCRIPTION = `Items without a price made the **checkout** fail:

> TypeError: Cannot read properties of undefined (reading 'amount')

- [x] Omit items without a price
- [ ] Report them to the editors
`;

/**
 * Returns a function that calls the API as a user.
 * @param {Instance} instance
 * @param {string} username
 * @returns {Promise<{ call: Call, token: string }>}
 */
async function apiOf(instance, username) {
  const options = ["--user", username, "--name", "Demo", "--scopes", "api write_repository"];
  const { token } = /** @type {{ token: string }} */ (await instance.command("token", "create", ...options));
  const headers = { "private-token": token, "content-type": "application/json" };
  return {
    token,
    call: async (method, path, body) => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(`${instance.baseUrl}/api/v4${path}`, { method, headers, ...sent });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return response.json();
    },
  };
}

/**
 * Creates groups, projects, Git branches, an open merge request with an approval, and tracked errors.
 * @param {Instance} instance an instance with the users of the demo.
 * @param {string} folder an empty folder for the working copy.
 */
export async function createDemoData(instance, folder) {
  const [ada, grace, linus] = await Promise.all(USERS.map(({ username }) => apiOf(instance, username)));
  if (!ada || !grace || !linus) throw new Error("USERS contains fewer than three users.");
  const acme = await ada.call("POST", "/groups", { name: "Acme", path: "acme", visibility: "internal" });
  const platform = { name: "Platform", path: "platform", parent_id: acme.id, visibility: "internal" };
  const { id: platformId } = await ada.call("POST", "/groups", platform);
  await ada.call("POST", `/groups/${acme.id}/members`, { username: "grace", access_level: 30 });
  await ada.call("POST", `/groups/${acme.id}/members`, { username: "linus", access_level: 40 });
  const shop = await ada.call("POST", "/projects", {
    ...{ name: "Shop", path: "shop", namespace_id: acme.id, visibility: "internal" },
    description: "The shop of Acme.",
  });
  await ada.call("POST", "/projects", { name: "Gateway", path: "gateway", namespace_id: platformId });
  if (await pushCode(instance, folder, { ada: ada.token, grace: grace.token }))
    await createMergeRequest({ project: `/projects/${shop.id}`, ada, grace, linus });
  await reportErrors(ada.call, `/projects/${shop.id}`);
}

/**
 * Authorizes every application for every user, with the password grant.
 * @param {Instance} instance
 * @param {readonly { client_id: string, client_secret: string }[]} applications the applications in the order
 * of `APPLICATIONS`.
 */
export async function authorizeApplications({ baseUrl, rootPassword }, applications) {
  for (const { username } of USERS)
    for (const [at, client] of applications.entries()) {
      const scope = APPLICATIONS[at]?.scopes ?? "";
      const form = { grant_type: "password", username, password: rootPassword, scope, ...client };
      const body = new URLSearchParams(form);
      const response = await fetch(`${baseUrl}/oauth/token`, { method: "POST", body });
      if (!response.ok) throw new Error(`/oauth/token: ${response.status} ${await response.text()}`);
      await response.arrayBuffer();
    }
}

/**
 * Pushes the default branch as Ada and another branch as Grace.
 * @returns {Promise<boolean>} false if Git is not installed.
 * @param {Instance} instance
 * @param {string} folder
 * @param {{ ada: string, grace: string }} tokens
 */
async function pushCode(instance, folder, tokens) {
  if (
    await run("git", ["--version"]).then(
      () => false,
      () => true,
    )
  )
    return false;
  const home = join(folder, "shop");
  /** @param {readonly string[]} args */
  const git = (...args) => run("git", ["-C", home, ...args]);
  /** @param {{ name: string, email: string } | undefined} user @param {string} message @param {Record<string, string>} files */
  const commit = async (user, message, files) => {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(home, path)), { recursive: true });
      await writeFile(join(home, path), content);
    }
    await git("add", ".");
    const author = ["-c", `user.name=${user?.name}`, "-c", `user.email=${user?.email}`];
    await git(...author, "-c", "commit.gpgSign=false", "commit", "--quiet", "--message", message);
  };
  /** @param {string} token */
  const urlFor = (token) => `http://oauth2:${token}@${new URL(instance.baseUrl).host}/acme/shop.git`;
  await mkdir(home);
  await git("init", "--quiet", "--initial-branch=main");
  await commit(USERS[0], "Begin the shop", { "README.md": README, "src/checkout.js": CHECKOUT });
  await git("push", "--quiet", urlFor(tokens.ada), "main");
  await git("checkout", "--quiet", "-b", "fix-checkout");
  await commit(USERS[1], "Omit items without a price", { "src/checkout.js": FIXED });
  await git("push", "--quiet", urlFor(tokens.grace), "fix-checkout");
  return true;
}

/** @param {Record<"ada" | "grace" | "linus", { call: Call }> & { project: string }} of */
async function createMergeRequest({ project, ada, grace, linus }) {
  await ada.call("POST", `${project}/approvals`, { approvals_before_merge: 2 });
  const { iid } = await grace.call("POST", `${project}/merge_requests`, {
    ...{ source_branch: "fix-checkout", target_branch: "main", title: "Omit items without a price" },
    ...{ description: DESCRIPTION, labels: ["bug"] },
  });
  await linus.call("POST", `${project}/merge_requests/${iid}/approve`);
}

/**
 * The tracked errors of the project `shop`, with the number of events of each error in an hour with full
 * activity.
 */
const ERRORS = [
  {
    events: 3,
    event: { level: "error", transaction: "POST /checkout", release: "shop@2.4.1" },
    type: "TypeError",
    value: "Cannot read properties of undefined (reading 'amount')",
    frames: [{ function: "total", filename: "src/checkout.js", lineno: 2, in_app: true }],
  },
  {
    events: 1.2,
    event: { level: "error", transaction: "GET /cart", release: "shop@2.4.0" },
    type: "TimeoutError",
    value: "The payment provider did not respond within 5 s",
    frames: [{ function: "pay", filename: "src/payment.js", lineno: 31, in_app: true }],
  },
  {
    events: 0.6,
    event: { level: "warning", transaction: "GET /search", release: "shop@2.3.0" },
    type: "RangeError",
    value: "The page number is too large",
    frames: [{ function: "search", filename: "src/search.js", lineno: 12, in_app: true }],
  },
];

/** The number of simultaneous requests that report events. */
const REPORTERS = 8;

/**
 * Reports the error events of 30 days, and resolves one of the tracked errors.
 * @param {Call} call
 * @param {string} project
 */
async function reportErrors(call, project) {
  await call("PUT", `${project}/error_tracking/settings`, { active: true, integrated: true });
  const [{ errtool_dsn: dsn }] = await call("GET", `${project}/error_tracking/client_keys`);
  const { origin, username, pathname } = new URL(dsn);
  const [, prefix = "", id = ""] = /^(.*)\/(\d+)$/.exec(pathname) ?? [];
  const url = `${origin}${prefix}/api/${id}/store/?sentry_key=${username}`;
  const reports = eventsOf(new Date());
  const reporter = async () => {
    for (let body = reports.pop(); body !== undefined; body = reports.pop()) {
      const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: REPORTERS }, reporter));
  const errors = await call("GET", `${project}/error_tracking/errors`);
  const solved = errors.find((/** @type {{ name: string }} */ { name }) => name === "RangeError");
  if (solved) await call("PUT", `${project}/error_tracking/errors/${solved.id}`, { status: "resolved" });
}

/**
 * Returns the events of the tracked errors, newest first. The events are reported from the end of the list,
 * so that the oldest event is reported first.
 * @param {Date} now
 */
function eventsOf(now) {
  return hoursOf(now)
    .flatMap(({ hour, activity }, at) =>
      ERRORS.flatMap(({ event, type, value, frames, events }) =>
        Array.from({ length: Math.round(events * activity) }, (_, number) => ({
          ...{
            platform: "node",
            environment: "production",
            server_name: `web-${(number % 2) + 1}`,
            ...event,
          },
          timestamp: Math.min(hour.getTime() + (number + 1) * 600_000, now.getTime()) / 1000,
          user: { id: String((at + number) % 17) },
          exception: { values: [{ type, value, stacktrace: { frames } }] },
        })),
      ),
    )
    .toReversed();
}
