import { hasGit } from "../git/git.ts";
import type { Instance } from "../instance.ts";
import { pushCode } from "./code-world.ts";

type Json = Readonly<Record<string, unknown>>;

type Call = (method: string, path: string, body?: Json) => Promise<Json & { id: number }>;

/** The API as this person, by a token that the command line makes. */
export async function apiOf(instance: Instance, username: string): Promise<Call> {
  const options = ["--user", username, "--name", "World", "--scopes", "api"];
  const { stdout, code, stderr } = await instance.cli("token", "create", ...options);
  if (code !== 0) throw new Error(stderr);
  const headers = { "private-token": stdout.trim(), "content-type": "application/json" };
  return async (method, path, body) => {
    const answer = await fetch(`${instance.baseUrl}/api/v4${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return JSON.parse((await answer.text()) || "{}");
  };
}

/** The address that programs of a project report to. */
export async function dsnOf(call: Call, project: string): Promise<string> {
  const keys: unknown = await call("GET", `${project}/error_tracking/client_keys`);
  const [key] = keys as readonly { errtool_dsn: string }[];
  return key?.errtool_dsn ?? "";
}

/** Where a program posts single errors, from the DSN as a library takes it apart. */
export function storeAddress(dsn: string): string {
  const { origin, username, pathname } = new URL(dsn);
  const [, prefix = "", project = ""] = /^(.*)\/(\d+)$/.exec(pathname) ?? [];
  return `${origin}${prefix}/api/${project}/store/?sentry_key=${username}`;
}

/** Reports an error as a program would. */
export async function report(dsn: string, event: Json): Promise<void> {
  const answer = await fetch(storeAddress(dsn), { method: "POST", body: JSON.stringify(event) });
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
}

const SOURCE = { pre_context: ["function pay(cart) {"], post_context: ["  return total;", "}"] };
const LONG_LINE = `  const total = cart.items.map((item) => item.price.amount); // ${"long ".repeat(30)}`;

/** A failure with all that a library tells of one. */
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

/** Groups, projects, members and errors of Ann's; the ids are 1, 2 … in the order in which they are made. */
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
  const tool = `${"long-name.".repeat(12)}tool/1.0.0/tool.tgz`;
  await call("PUT", `/projects/${id}/packages/generic/${tool}`, { of: "bytes" });
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
