import { hasGit } from "../git/git.ts";
import type { Instance } from "../instance.ts";
import { pushCode } from "./code-world.ts";

type Json = Readonly<Record<string, unknown>>;

type Call = (method: string, path: string, body?: Json) => Promise<Json & { id: number }>;

/** Returns a function that calls the API as a user, with a token from the command line. */
export async function apiOf(instance: Instance, username: string): Promise<Call> {
  const options = ["--user", username, "--name", "World", "--scopes", "api"];
  const { stdout, code, stderr } = await instance.cli("token", "create", ...options);
  if (code !== 0) throw new Error(stderr);
  const headers = { "private-token": stdout.trim(), "content-type": "application/json" };
  return async (method, path, body) => {
    const response = await fetch(`${instance.baseUrl}/api/v4${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return JSON.parse((await response.text()) || "{}");
  };
}

/** Returns the DSN to which programs report errors of a project. */
export async function dsnOf(call: Call, project: string): Promise<string> {
  const keys: unknown = await call("GET", `${project}/error_tracking/client_keys`);
  const [key] = keys as readonly { errtool_dsn: string }[];
  return key?.errtool_dsn ?? "";
}

/** Returns the URL to which a program posts errors, derived from the DSN as an SDK does. */
export function storeUrl(dsn: string): string {
  const { origin, username, pathname } = new URL(dsn);
  const [, prefix = "", project = ""] = /^(.*)\/(\d+)$/.exec(pathname) ?? [];
  return `${origin}${prefix}/api/${project}/store/?sentry_key=${username}`;
}

/** Reports an error event, as an SDK does. */
export async function report(dsn: string, event: Json): Promise<void> {
  const response = await fetch(storeUrl(dsn), { method: "POST", body: JSON.stringify(event) });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
}

const SOURCE = { pre_context: ["function pay(cart) {"], post_context: ["  return total;", "}"] };
const LONG_LINE = `  const total = cart.items.map((item) => item.price.amount); // ${"long ".repeat(30)}`;

/** An error event with all details that an SDK reports. */
export const FAILURE = {
  level: "error",
  platform: "node",
  environment: "production",
  release: "shop@2.4.1",
  transaction: "POST /checkout",
  server_name: "web-1",
  user: { id: "7", username: "mia" },
  tags: { region: "eu-central" },
  contexts: { runtime: { name: "node", version: "20.20.0" } },
  request: { method: "POST", url: "https://shop.example/checkout", query_string: "step=2" },
  breadcrumbs: [{ timestamp: 1_700_000_000, category: "http", level: "warning", message: "GET /cart" }],
  exception: {
    values: [
      {
        type: "TypeError",
        value: "Cannot read properties of undefined (reading 'amount')",
        stacktrace: {
          frames: [
            {
              function: "handle",
              filename: "node_modules/express/lib/router/layer.js",
              lineno: 95,
              in_app: false,
              context_line: "fn(req, res, next);",
            },
            {
              function: "pay",
              filename: "app/checkout.js",
              lineno: 42,
              colno: 7,
              in_app: true,
              context_line: LONG_LINE,
              ...SOURCE,
            },
          ],
        },
      },
    ],
  },
} as const;

/** Creates webhooks, tokens and a license policy with names that are hard to lay out. */
async function makeMachines(call: Call, group: number, project: number): Promise<void> {
  const name = `${"Überlang".repeat(15)} مرحبا`;
  const url = `https://hooks.acme.example/${"path".repeat(30)}`;
  for (const owner of [`/groups/${group}`, `/projects/${project}`]) {
    await call("POST", `${owner}/hooks`, { url, name, push_events: true });
    await call("POST", `${owner}/access_tokens`, { name, scopes: ["read_api", "read_repository"] });
    await call("POST", `${owner}/deploy_tokens`, { name, scopes: ["read_repository"] });
  }
  const lists = { deny_list: ["AGPL-3.0-only", "x".repeat(120)], description: "x".repeat(200) };
  await call("POST", `/projects/${project}/license_approval_policies`, { name, enabled: false, ...lists });
}

/**
 * Creates Ann's groups and projects, with their members and tracked errors. The ids of Ann's groups and
 * projects are 1, 2 … in the order of their creation.
 */
export async function makeProjects(instance: Instance): Promise<void> {
  const call = await apiOf(instance, "ann");
  const group = await call("POST", "/groups", { name: "Acme", path: "acme", visibility: "public" });
  const team = { name: "x".repeat(120), path: "web", parent_id: group.id, visibility: "public" };
  await call("POST", "/groups", team);
  const description = "Where people buy things.\nIt runs everywhere.";
  const shop = { name: "Shop", namespace_id: group.id, visibility: "public", description };
  const { id } = await call("POST", "/projects", shop);
  await call("POST", "/projects", { name: `Ü${"y".repeat(200)} مرحبا`, path: "awkward" });
  await call("POST", `/projects/${id}/members`, {
    username: "mia",
    access_level: 30,
    expires_at: "2030-01-01",
  });
  const runner = { runner_type: "project_type", project_id: id, tag_list: ["docker", "x".repeat(120)] };
  await call("POST", "/user/runners", { ...runner, description: `${"Überlang".repeat(15)} مرحبا` });
  await call("POST", "/user/runners", { runner_type: "group_type", group_id: group.id, paused: true });
  const tool = `${"long-name.".repeat(12)}tool/1.0.0/tool.tgz`;
  await call("PUT", `/projects/${id}/packages/generic/${tool}`, { of: "bytes" });
  await makeMachines(call, group.id, id);
  await call("PUT", `/projects/${id}/error_tracking/settings`, { active: true, integrated: true });
  const dsn = await dsnOf(call, `/projects/${id}`);
  await report(dsn, FAILURE);
  await report(dsn, { ...FAILURE, release: "shop@2.4.2" });
  for (const level of ["fatal", "warning", "info"])
    await report(dsn, { message: `${level} ${"Überlang".repeat(20)} مرحبا`, level });
  await report(dsn, { type: "transaction" });
  if (!hasGit()) return;
  await pushCode(instance, "ann", "acme/shop");
  await call("POST", `/projects/${id}/repository/branches`, { branch: "stable", ref: "v1" });
  const rule = { name: `${"Überlang".repeat(20)} مرحبا \u202E txt`, usernames: ["ann", "mia"] };
  await call("POST", `/projects/${id}/approval_rules`, { ...rule, approvals_required: 3 });
  await call("POST", `/projects/${id}/merge_requests`, {
    source_branch: "main",
    target_branch: "stable",
    title: `Draft: ${"Überlang".repeat(20)} مرحبا \u202E txt`,
    description: `Why: ${"x".repeat(200)}`,
    labels: ["bug", "y".repeat(100)],
  });
}
