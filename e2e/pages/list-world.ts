import { hasGit } from "../git/git.ts";
import type { Instance } from "../instance.ts";
import { register } from "../oauth/fixtures.ts";
import { pushBranch, pushCode } from "./code-world.ts";
import { apiOf, dsnOf, FAILURE, report } from "./project-world.ts";
import { PASSWORD } from "./user.ts";

const LONG_NAME_CHARACTERS = 120;

/** The owner of the rows, and the functions that return the names of the rows. */
export type ListNames = Readonly<{
  username: string;
  /** Returns the display name of an object, which is derived from a short name. */
  nameOf: (short: string) => string;
  /** Returns the name of an object whose name must not contain spaces and letters outside of ASCII. */
  slugOf: (short: string) => string;
}>;

export const SHORT_NAMES: ListNames = {
  username: "wilma",
  nameOf: (short) => short,
  slugOf: (short) => short,
};

/** Right-to-left names of 120 characters, which contain a long part without line break opportunities. */
export const LONG_NAMES: ListNames = {
  username: `winifred-${"x".repeat(50)}`,
  nameOf: (short) => `مرحبا بالعالم ${short} ${"Überlang".repeat(20)}`.slice(0, LONG_NAME_CHARACTERS),
  slugOf: (short) => `${short}-${"x".repeat(LONG_NAME_CHARACTERS)}`.slice(0, LONG_NAME_CHARACTERS),
};

/** The paths of pages with lists: the pages of the owner of the rows, and the pages of an administrator. */
type ListPages = Readonly<{ own: readonly string[]; admin: readonly string[] }>;

type Call = Awaited<ReturnType<typeof apiOf>>;

/** Creates at least one row for each list of the pages that the function returns. */
export async function makeLists(instance: Instance, names: ListNames): Promise<ListPages> {
  const { username, nameOf, slugOf } = names;
  const applicationToken = await makeOwner(instance, names);
  const call = await apiOf(instance, username);
  const { id: user } = await call("GET", "/user");
  const group = await call("POST", "/groups", { name: nameOf("Coast"), path: slugOf("coast") });
  await call("POST", "/groups", { name: nameOf("Pier"), path: slugOf("pier"), parent_id: group.id });
  const project = { name: nameOf("Harbour"), path: slugOf("harbour") };
  await call("POST", "/projects", project);
  const { id } = await call("POST", "/projects", { ...project, namespace_id: group.id });
  const home = `/projects/${id}`;
  await makeRowsOfProject(call, { id, home }, names);
  const code = hasGit() ? await makeCode(instance, { call, home, applicationToken, names }) : [];
  const own = [
    "/user_settings/applications",
    "/user_settings/authorized_applications",
    "/user_settings/personal_access_tokens",
    "/user_settings/sessions",
    "/projects",
    "/groups",
    `/users/${user}`,
    `/groups/${group.id}`,
    `/groups/${group.id}/members`,
    `${home}/members`,
    `${home}/settings/access_tokens`,
    `${home}/settings/deploy_tokens`,
    `${home}/settings/webhooks`,
    `${home}/settings/runners`,
    `${home}/packages`,
    `${home}/errors?status=all`,
    ...code,
  ];
  const admin = [
    `/admin/users?search=${username}`,
    `/admin/users/${user}`,
    `/admin/applications?search=${username}`,
    `/admin/audit_events?person=${username}`,
    "/admin",
    "/admin/runners",
  ];
  return { own, admin };
}

/** Creates the owner of the rows, with two applications. @returns an access token of the first application. */
async function makeOwner(instance: Instance, { username, nameOf, slugOf }: ListNames): Promise<string> {
  const user = ["--username", username, "--email", `${username}@example.com`, "--name", nameOf("Wilma")];
  const { code, stderr } = await instance.cli("user", "create", ...user, "--password", PASSWORD);
  if (code !== 0) throw new Error(stderr);
  const owned = ["--owner", username, "--redirect-uri", `https://app.example/${slugOf("callback")}`];
  const scopes = ["--scopes", "read_user read_api openid email"];
  const client = await register(instance, "--name", nameOf("Deploy"), ...owned, ...scopes);
  await register(instance, "--name", nameOf("Terminal"), "--public", ...owned, ...scopes);
  const grant = { grant_type: "password", username, password: PASSWORD, scope: "read_user read_api" };
  const body = new URLSearchParams({ ...grant, ...client });
  const response = await fetch(`${instance.baseUrl}/oauth/token`, { method: "POST", body });
  if (!response.ok) throw new Error(await response.text());
  const token = ["--user", username, "--name", nameOf("Backup"), "--scopes", "read_api read_user api"];
  const created = await instance.cli("token", "create", ...token);
  if (created.code !== 0) throw new Error(created.stderr);
  return (await response.json()).access_token;
}

/** Creates the members, tokens, webhooks, runners, packages and errors of a project. */
async function makeRowsOfProject(
  call: Call,
  { id, home }: Readonly<{ id: number; home: string }>,
  { nameOf, slugOf }: ListNames,
): Promise<void> {
  await call("POST", `${home}/members`, { username: "root", access_level: 30 });
  const scopes = ["read_api", "read_repository"];
  await call("POST", `${home}/access_tokens`, { name: nameOf("Nightly build"), scopes });
  await call("POST", `${home}/deploy_tokens`, { name: nameOf("Web server"), scopes: ["read_repository"] });
  const hook = { url: `https://hooks.example/${slugOf("chat")}`, push_events: true };
  await call("POST", `${home}/hooks`, { ...hook, name: nameOf("Chat") });
  await call("POST", `${home}/hooks`, hook);
  const runner = { runner_type: "project_type", project_id: id, description: nameOf("Builder") };
  const tags = { tag_list: [slugOf("docker"), "linux"] };
  await call("POST", "/user/runners", { ...runner, ...tags, paused: true, locked: true });
  const file = `${slugOf("tool")}/${slugOf("1.0.0")}/tool.tgz`;
  await call("PUT", `${home}/packages/generic/${file}`, { of: "bytes" });
  await call("PUT", `${home}/error_tracking/settings`, { active: true, integrated: true });
  const error = { type: slugOf("TypeError"), value: nameOf("Cannot read properties of undefined") };
  const event = { ...FAILURE, transaction: slugOf("checkout"), exception: { values: [error] } };
  await report(await dsnOf(call, home), event);
}

/** Creates commits, a protected branch and a merge request. @returns the paths of their lists. */
async function makeCode(
  instance: Instance,
  options: Readonly<{ call: Call; home: string; applicationToken: string; names: ListNames }>,
): Promise<readonly string[]> {
  const { call, home, applicationToken, names } = options;
  const { username, nameOf, slugOf } = names;
  const project = `${slugOf("coast")}/${slugOf("harbour")}`;
  await pushCode(instance, username, project);
  const branch = slugOf("feature");
  await pushBranch(instance, username, project, { branch, files: { "feature.txt": "new\n" } });
  await call("POST", `${home}/protected_branches`, { name: branch });
  const branches = { source_branch: branch, target_branch: "main" };
  const title = `Draft: ${nameOf("Pay once")}`;
  await call("POST", `${home}/merge_requests`, { ...branches, title, labels: ["bug"] });
  // The response contains deprecated parts of the API, so the lists of deprecated uses contain the application.
  const headers = { authorization: `Bearer ${applicationToken}` };
  const listed = await fetch(`${instance.baseUrl}/api/v4${home}/merge_requests`, { headers });
  if (!listed.ok) throw new Error(await listed.text());
  return [
    `${home}/merge_requests`,
    `${home}/commits?${new URLSearchParams({ ref: branch })}`,
    `${home}/settings/protected_branches`,
    "/user_settings/api_v5",
  ];
}
