import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Instance } from "../instance.ts";
import { register } from "../oauth/fixtures.ts";
import { makeProjects } from "../pages/project-world.ts";

const APP = join(import.meta.dirname, "../../app");

/** The values of path parameters: names that `makeProjects` creates, and ids of the first row of a table. */
const VALUES: Readonly<Record<string, string>> = {
  branch: "stable",
  file_name: "tool.tgz",
  file_path: "README.md",
  name: "main",
  package_name: "tool",
  package_version: "1.0.0",
  path: "acme",
  sha: "main",
  tag_name: "v1",
};

/**
 * Returns the value of a path parameter. The administrator who sends the requests is the first user, and must
 * not be blocked.
 */
const valueFor = (name: string, path: string): string =>
  encodeURIComponent(VALUES[name] ?? (path.startsWith("/users/") ? "2" : "1"));

/** Sends requests to each operation of both versions of the API, to each page and to each other route. */
export type EveryOperation = Readonly<{
  /**
   * @returns the share of requests that succeeded.
   * @throws an Error when the server ends or responds with 500.
   */
  use: () => Promise<number>;
}>;

/** Creates users, projects and applications in an empty instance, and signs in as its administrator. */
export async function everyOperation(instance: Instance): Promise<EveryOperation> {
  for (const name of ["ann", "mia"]) {
    const about = ["--username", name, "--password", "ocean-lantern-57", "--email", `${name}@a.example`];
    await instance.cli("user", "create", ...about);
  }
  await makeProjects(instance);
  const client = ["--name", "Wiki", "--redirect-uri", "https://wiki.example/cb", "--scopes", "read_user"];
  await register(instance, ...client, "--owner", "root");
  const cookie = await signIn(instance);
  const token = await newToken(instance);

  async function use(): Promise<number> {
    const statuses: number[] = [];
    const send = async (path: string, init: RequestInit = {}): Promise<string> => {
      const response = await fetch(instance.baseUrl + path, { redirect: "manual", ...init });
      const text = await response.text();
      const problem = `${init.method ?? "GET"} ${path}: ${response.status} ${text.slice(0, 300)}`;
      if (response.status === 500) throw new Error(problem);
      statuses.push(response.status);
      return text;
    };
    const routes = pathsOf("route.ts").filter((path) => !path.startsWith("/api/v4/"));
    for (const path of [...pathsOf("page.tsx"), ...routes])
      await send(`${path}${path.endsWith("/file") ? FILE : QUERY}`, { headers: { cookie } });
    for (const path of routes.filter((route) => !ENDS_SESSION.test(route)))
      await send(path, {
        method: "POST",
        headers: { cookie, origin: instance.baseUrl },
        body: new URLSearchParams({ client_id: "x", login: "nobody", password: "wrong", token: "x" }),
      });
    for (const { path, method, body } of await operationsOf(send)) {
      // An operation that replaces or revokes the token of its request gets a new token.
      const isLast = path.includes("/personal_access_tokens/") && method !== "get";
      const headers = { "private-token": isLast ? await newToken(instance) : token };
      if (method === "get") await send(path, { headers });
      else
        await send(path, {
          method: method.toUpperCase(),
          headers: { ...headers, "content-type": "application/json" },
          body: JSON.stringify(body),
        });
    }
    return statuses.filter((status) => status < 400).length / statuses.length;
  }

  return { use };
}

const QUERY = "?ref=main&search=a&per_page=20";
const FILE = "?ref=main&path=README.md";
const ENDS_SESSION = /^\/(?:oauth\/end_session|users\/sign_out|users\/session|api\/auth)/;

async function newToken(instance: Instance): Promise<string> {
  const about = ["--user", "root", "--scopes", "api", "--name", "every operation"];
  const { stdout } = await instance.cli("token", "create", ...about);
  return stdout.trim();
}

async function signIn(instance: Instance): Promise<string> {
  const response = await fetch(`${instance.baseUrl}/users/session`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ login: "root", password: instance.rootPassword }),
  });
  return response.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");
}

/** Returns the paths of the files with this name below `app`, with values for their parameters. */
function pathsOf(fileName: string): readonly string[] {
  const folders = readdirSync(APP, { recursive: true, encoding: "utf8" })
    .filter((file) => file === fileName || file.endsWith(`/${fileName}`))
    .map((file) => file.split("/").slice(0, -1));
  return folders.map((folder) => {
    const path = `/${folder.filter((segment) => !/^\(.*\)$/.test(segment)).join("/")}`;
    return path.replace(/\[[^/]*?(\w+)\]+/g, (_, name: string) => valueFor(name, path));
  });
}

type Document = Readonly<{
  paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          Readonly<{
            requestBody?: Readonly<{ content: Readonly<Record<string, Readonly<{ example?: unknown }>>> }>;
          }>
        >
      >
    >
  >;
}>;
type Operation = Readonly<{ path: string; method: string; body: unknown }>;

/**
 * GET requests run first, so that every resource exists when a GET request reads it. DELETE requests run
 * last, longest paths first.
 */
const ORDER: readonly string[] = ["get", "put", "patch", "post", "delete"];

async function operationsOf(send: (path: string) => Promise<string>): Promise<readonly Operation[]> {
  const operations: Operation[] = [];
  for (const version of ["v4", "v5"]) {
    const { paths }: Document = JSON.parse(await send(`/api/${version}/openapi.json`));
    for (const [template, methods] of Object.entries(paths))
      for (const [method, { requestBody }] of Object.entries(methods)) {
        const path = template.replace(/\{(\w+)\}/g, (_, name: string) => valueFor(name, template));
        const body = requestBody?.content["application/json"]?.example ?? {};
        operations.push({ path: `/api/${version}${path}`, method, body });
      }
  }
  return operations.toSorted(
    (one, other) =>
      ORDER.indexOf(one.method) - ORDER.indexOf(other.method) || other.path.length - one.path.length,
  );
}
