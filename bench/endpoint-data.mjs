import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { StepFailed } from "../scripts/prepare-step.mjs";
import { runProgram } from "../scripts/program.mjs";
import { git, imported } from "./git.mjs";

/**
 * @import { Later } from "../scripts/temporarily.mjs"
 * @typedef {{ path: string, url: string, isList: boolean, headers: Record<string, string> }} Endpoint
 */

/**
 * The environment variables of the measured instance. No server runs at the registry URL, because most
 * endpoints of the container registry only read stored rows.
 */
export const ENVIRONMENT = {
  REGISTRY_URL: "https://registry.example.com",
  REGISTRY_NOTIFICATION_TOKEN: randomBytes(32).toString("hex"),
};

/** The endpoints that send a request to the container registry, which does not run during the benchmark. */
const ELSEWHERE = /\/registry\/repositories\/\{repository_id\}\/tags/;

/**
 * The endpoints that require a project with a Git repository: the repository endpoints, and the endpoints of
 * a single merge request.
 */
const IN_CODE =
  /\/(?:repository|protected_branches|approvals|approval_rules|managed_licenses|license_approval_policies)\b|\{iid\}/;

const TOKEN = { name: "Robot", scopes: ["read_api"], access_level: 30 };
const DEPLOY_TOKEN = { name: "Deployment", scopes: ["read_repository"] };
const HOOK = { url: "https://hooks.example.com" };

/**
 * The collections in which the benchmark creates a resource through the API, with the request body. These
 * collections contain no other rows.
 * @type {Readonly<Record<string, object>>}
 */
const CREATED = {
  "/projects/{id}/access_tokens": TOKEN,
  "/groups/{id}/access_tokens": TOKEN,
  "/projects/{id}/deploy_tokens": DEPLOY_TOKEN,
  "/groups/{id}/deploy_tokens": DEPLOY_TOKEN,
  "/projects/{id}/hooks": HOOK,
  "/groups/{id}/hooks": HOOK,
  "/hooks": HOOK,
  "/user/emails": { email: "ann.second@example.com" },
  "/users/{id}/impersonation_tokens": { name: "Robot", scopes: ["read_user"] },
};

/**
 * The path to which the benchmark sends the POST request that creates a resource, if this path differs from
 * the path of the collection. A POST request to `/user/emails` would require the password of the user ann,
 * and ann has no password.
 */
const CREATED_AT = new Map([["/user/emails", "/users/{id}/emails"]]);

const COMMITS = 200;
const FILES = 50;

/**
 * Writes rows of each kind into the database of an empty instance, and creates a project with a repository, a
 * merge request and approval rules.
 * @param {{ baseUrl: string, place: string, rows: number, later: Later }} options `rows` is the number of
 * rows of each kind.
 * @returns {Promise<readonly Endpoint[]>} a request to each GET endpoint of the OpenAPI document.
 */
export async function prepareEndpoints({ baseUrl, place, rows, later }) {
  const names = ["root", "ann", "bob"];
  const tokens = Object.fromEntries(names.map((name) => [name, `ghpt_${randomBytes(32).toString("hex")}`]));
  const digests = Object.fromEntries(
    Object.entries(tokens).map(([name, token]) => [name, createHash("sha256").update(token).digest("hex")]),
  );
  const url = `file:${join(place, "data/gatehouse.db")}`;
  const filled = await runProgram(["bench/fill-lists.mjs", url, String(rows)], {
    input: JSON.stringify(digests),
    later,
  });
  /** @type {{ ann: number, group: number, project: number }} */
  const { ann, group, project } = JSON.parse(filled);
  const call = callerOf(baseUrl, tokens["ann"] ?? "");
  const site = { name: "Abroad", url: "https://abroad.example.com" };
  await callerOf(baseUrl, tokens["root"] ?? "")("POST", "/geo_sites", site);
  await call("PUT", `/projects/${project}/error_tracking/settings`, { active: true, integrated: true });
  const code = await newCode({ baseUrl, place, token: tokens["ann"] ?? "", call, group });
  /** @type {Record<string, string | number>} */
  const values = {
    ...{ user_id: ann, error_id: 1, runner_id: 2, package_id: 1, file_id: 1, repository_id: 1, key_id: 1 },
    ...{ branch: "topic", sha: "main", file_path: "src/file-1.txt", ...code.values },
    ...{ package_name: "tool", package_version: "1.0.0", file_name: "tool.bin" },
  };
  /** @type {{ paths: Record<string, { get?: { "x-audience": string, responses: object } }> }} */
  const document = await call("GET", "/openapi.json");
  /** @param {string} path */
  const callerFor = (path) =>
    document.paths[path]?.get?.["x-audience"] === "administrators" ? "root" : "ann";
  /** @type {Map<string, number>} */
  const created = new Map();
  for (const [collection, input] of Object.entries(CREATED)) {
    const ids = { projects: project, groups: group, users: ann };
    const target = CREATED_AT.get(collection) ?? collection;
    const [, first = ""] = target.split("/");
    const path = target.replace("{id}", String(ids[/** @type {keyof typeof ids} */ (first)]));
    const create = callerOf(baseUrl, tokens[callerFor(target)] ?? "");
    created.set(collection, (await create("POST", path, input)).id);
  }
  return Object.entries(document.paths).flatMap(([path, { get }]) => {
    if (get === undefined || ELSEWHERE.test(path)) return [];
    const inside = IN_CODE.test(path) || path.includes("/generic/") ? code.id : project;
    const ids = { projects: inside, groups: group, users: ann };
    const [collection = ""] = path.split(/\/\{(?!id\})/);
    const [, first = ""] = path.split("/");
    /** @param {string} name */
    const valueFor = (name) => {
      if (name === "id") return ids[/** @type {keyof typeof ids} */ (first)] ?? 1;
      if (name === "name") return first === "features" ? "oauth2_device_grant_flow" : "main";
      return created.get(collection) ?? values[name] ?? 1;
    };
    const concretePath = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(valueFor(name)));
    return {
      path,
      url: `${baseUrl}/api/v4${concretePath}${QUERIES[path] ?? ""}`,
      isList: "X-Per-Page" in headersOf(get.responses),
      headers: { "private-token": tokens[callerFor(path)] ?? "" },
    };
  });
}

/** The required query parameters, by path. @type {Readonly<Record<string, string>>} */
const QUERIES = {
  "/projects/{id}/repository/compare": "?from=main&to=topic",
  "/projects/{id}/repository/files/{file_path}": "?ref=main",
  "/projects/{id}/repository/files/{file_path}/raw": "?ref=main",
};

/** @param {{ 200?: { headers?: object } }} responses */
const headersOf = (responses) => responses[200]?.headers ?? {};

/** @typedef {ReturnType<typeof callerOf>} Call */

/**
 * @param {string} baseUrl
 * @param {string} token
 */
function callerOf(baseUrl, token) {
  /**
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   * @returns {Promise<any>}
   */
  return async (method, path, body) => {
    const response = await fetch(`${baseUrl}/api/v4${path}`, {
      method,
      headers: { "private-token": token, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new StepFailed(`${method} ${path} returned ${response.status}: ${text}`);
    return JSON.parse(text || "null");
  };
}

/**
 * Creates a project that has a repository with two branches and a tag, and creates a merge request in the
 * project.
 * @param {{ baseUrl: string, place: string, token: string, call: Call, group: number }} options
 */
async function newCode({ baseUrl, place, token, call, group }) {
  const { id, path_with_namespace: path } = await call("POST", "/projects", {
    path: "code",
    namespace_id: group,
  });
  const source = join(place, "code.git");
  await imported(source, commits());
  const url = `${baseUrl.replace("://", `://x:${token}@`)}/${path}.git`;
  await git(["--git-dir", source, "push", "--quiet", url, "main", "topic", "v1"]);
  const inProject = (/** @type {string} */ method, /** @type {string} */ rest, /** @type {object} */ body) =>
    call(method, `/projects/${id}${rest}`, body);
  const { iid } = await inProject("POST", "/merge_requests", {
    ...{ source_branch: "topic", target_branch: "main", title: "Change a file", labels: "bug" },
  });
  const rule = await inProject("POST", "/approval_rules", {
    name: "Reviewers",
    approvals_required: 1,
    usernames: ["ann"],
  });
  await inProject("PUT", "/packages/generic/tool/1.0.0/tool.bin", { of: "bytes" });
  await inProject("POST", "/managed_licenses", { name: "GPL-3.0", approval_status: "denied" });
  const policy = await inProject("POST", "/license_approval_policies", {
    ...{ name: "Denied licenses", deny_list: "GPL-3.0-only" },
  });
  const versions = await call("GET", `/projects/${id}/merge_requests/${iid}/versions`);
  const ids = { iid, rule_id: rule.id, version_id: versions[0].id, policy_id: policy.id };
  return { id, values: { ...ids, managed_license_id: "GPL-3.0" } };
}

/** An input stream for `git fast-import`. */
function* commits() {
  for (let at = 0; at <= COMMITS; at += 1) {
    const branch = at < COMMITS ? "main" : "topic";
    const text = `Line that change ${at} adds\n`.repeat(20);
    yield `commit refs/heads/${branch}\nmark :${at + 1}\n`;
    yield `committer Ann <ann@example.com> ${1_700_000_000 + at * 60} +0000\ndata 6\nChange\n`;
    if (at === COMMITS) yield `from :${COMMITS}\n`;
    yield `M 100644 inline src/file-${at % FILES}.txt\ndata ${text.length}\n${text}\n`;
  }
  yield `reset refs/tags/v1\nfrom :${COMMITS}\n`;
}
