import { GitbeakerRequestError, Gitlab } from "@gitbeaker/rest";
import type { Instance } from "../instance.ts";
import { expect, test } from "./fixtures.ts";

type Client = InstanceType<typeof Gitlab<false>>;
type World = Readonly<{
  root: Client;
  token: string;
  projectId: number;
  ids: Readonly<Record<string, number>>;
}>;

const PEOPLE = ["pia", "quin", "rosa", "sven", "tara"] as const;
const world: { made: World | null } = { made: null };

/** The instance with projects and people in it, made once, by the client itself. */
async function worldOf(instance: Instance): Promise<World> {
  world.made ??= await makeWorld(instance);
  return world.made;
}

async function makeWorld(instance: Instance): Promise<World> {
  const args = ["--user", "root", "--scopes", "api", "--name", "gitbeaker", "--json"];
  const { token } = JSON.parse((await instance.cli("token", "create", ...args)).stdout);
  const root = new Gitlab({ host: instance.baseUrl, token });
  const { id: namespaceId } = await root.Groups.create("beaker", "beaker");
  for (const name of ["shop", "blog", "docs"]) await root.Projects.create({ name, namespaceId });
  const { id: projectId } = await root.Projects.show("beaker/shop");
  const ids: Record<string, number> = {};
  for (const username of PEOPLE) {
    const email = `${username}@example.com`;
    const { id } = await root.Users.create({ username, email, name: username, password: "a long password" });
    await root.ProjectMembers.add(projectId, 30, { userId: id });
    ids[username] = id;
  }
  return { root, token, projectId, ids };
}

/** The client with a token of somebody else's, with one scope. */
async function clientOf(instance: Instance, username: string, scope: "api" | "read_user"): Promise<Client> {
  const { root, ids } = await worldOf(instance);
  const { token } = await root.PersonalAccessTokens.create(ids[username] ?? 0, "gitbeaker", [scope]);
  return new Gitlab({ host: instance.baseUrl, token: String(token) });
}

/** The status that a call was refused with. */
async function refusedWith(call: Promise<unknown>): Promise<number> {
  try {
    await call;
  } catch (cause) {
    if (cause instanceof GitbeakerRequestError) return cause.cause?.response.status ?? 0;
    throw cause;
  }
  throw new Error("The call was not refused.");
}

test("gitbeaker reads who it is, with either kind of token [US-01]", async ({ instance }) => {
  const { root } = await worldOf(instance);
  expect(await root.Users.showCurrentUser()).toMatchObject({ username: "root", is_admin: true });
  expect(await root.Metadata.show()).toMatchObject({ version: expect.any(String) });
  const body = new URLSearchParams({
    grant_type: "password",
    username: "root",
    password: instance.rootPassword,
  });
  const granted = await fetch(`${instance.baseUrl}/oauth/token`, { method: "POST", body });
  const { access_token: oauthToken } = await granted.json();
  const other = new Gitlab({ host: instance.baseUrl, oauthToken });
  expect(await other.Users.showCurrentUser()).toMatchObject({ username: "root" });
  const nobody = new Gitlab({ host: instance.baseUrl, token: "unknown" });
  expect(await refusedWith(nobody.Users.showCurrentUser())).toBe(401);
});

test("gitbeaker lists projects and members, page by page and by key", async ({ instance }) => {
  const { root, projectId } = await worldOf(instance);
  const mine = { search: "beaker", owned: true, orderBy: "id", sort: "asc" } as const;
  const paths = (rows: readonly { path_with_namespace: unknown }[]) =>
    rows.map(({ path_with_namespace }) => path_with_namespace).toSorted();
  const all = ["beaker/blog", "beaker/docs", "beaker/shop"];
  expect(paths(await root.Projects.all({ ...mine, perPage: 1 }))).toEqual(all);
  expect(paths(await root.Projects.all({ ...mine, perPage: 2, pagination: "keyset" }))).toEqual(all);
  const { data, paginationInfo } = await root.Projects.all({
    search: "beaker",
    owned: true,
    pagination: "offset",
    perPage: 2,
    page: 1,
    showExpanded: true,
  });
  expect(data).toHaveLength(2);
  expect(paginationInfo).toMatchObject({ total: 3, totalPages: 2, next: 2, current: 1, perPage: 2 });
  const members = await root.ProjectMembers.all(projectId, { perPage: 2 });
  expect(members.map(({ username }) => username)).toEqual(expect.arrayContaining([...PEOPLE]));
  expect(await root.ProjectMembers.all("beaker/shop", { includeInherited: true })).toHaveLength(6);
});

test("gitbeaker adds, changes and removes members", async ({ instance }) => {
  const { root, projectId, ids } = await worldOf(instance);
  const id = ids["pia"] ?? 0;
  await root.ProjectMembers.remove(projectId, id);
  expect(await root.ProjectMembers.add(projectId, 40, { userId: id })).toMatchObject({ access_level: 40 });
  expect(await root.ProjectMembers.edit(projectId, id, 30)).toMatchObject({ access_level: 30 });
  expect(await root.ProjectMembers.show(projectId, id)).toMatchObject({ username: "pia" });
});

test("gitbeaker sets error tracking and makes client keys, as a maintainer alone may", async ({
  instance,
}) => {
  const { root, projectId } = await worldOf(instance);
  expect(await refusedWith(root.ErrorTrackingSettings.show(projectId))).toBe(404);
  const settings = { active: true, integrated: true, project_name: null, api_url: null };
  expect(await root.ErrorTrackingSettings.create(projectId, true, true)).toMatchObject(settings);
  expect(await root.ErrorTrackingSettings.edit(projectId, false, { integrated: true })).toMatchObject({
    ...settings,
    active: false,
  });
  expect(await root.ErrorTrackingSettings.edit("beaker/shop", true)).toMatchObject(settings);
  expect(await root.ErrorTrackingSettings.show(projectId)).toMatchObject(settings);
  const made = await root.ErrorTrackingClientKeys.create(projectId);
  expect(made).toMatchObject({ active: true, errtool_dsn: expect.stringContaining(`/${projectId}`) });
  const keys = await root.ErrorTrackingClientKeys.all(projectId, { perPage: 1 });
  expect(keys).toHaveLength(2);
  const developer = await clientOf(instance, "quin", "api");
  expect(await refusedWith(developer.ErrorTrackingSettings.show(projectId))).toBe(403);
  expect(await refusedWith(developer.ErrorTrackingClientKeys.create(projectId))).toBe(403);
});

test("gitbeaker makes, finds, changes and blocks people", async ({ instance }) => {
  const { root } = await worldOf(instance);
  const made = await root.Users.create({
    username: "uma",
    email: "uma@example.com",
    name: "Uma",
    password: "a long password",
    privateProfile: "true",
    skipConfirmation: true,
  });
  expect(made).toMatchObject({ username: "uma", state: "active" });
  expect(
    await refusedWith(
      root.Users.create({ username: "uma", email: "u@example.com", name: "U", forceRandomPassword: true }),
    ),
  ).toBe(409);
  const everybody = await root.Users.all({ perPage: 2 });
  expect(everybody.map(({ username }) => username)).toEqual(
    expect.arrayContaining(["root", "uma", ...PEOPLE]),
  );
  expect(await root.Users.edit(made.id, { name: "Uma Ukwu" })).toMatchObject({
    name: "Uma Ukwu",
    private_profile: true,
  });
  const reader = await clientOf(instance, "rosa", "read_user");
  expect(await reader.Users.show(made.id)).not.toHaveProperty("created_at");
  expect(await refusedWith(reader.Projects.all())).toBe(403);
  await root.Users.block(made.id);
  expect(await root.Users.show(made.id)).toMatchObject({ state: "blocked" });
  await root.Users.unblock(made.id);
  expect(await root.Users.show(made.id)).toMatchObject({ state: "active", email: "uma@example.com" });
});

test("gitbeaker makes, rotates and revokes personal access tokens", async ({ instance }) => {
  const { root, ids } = await worldOf(instance);
  const made = await root.PersonalAccessTokens.create(ids["sven"] ?? 0, "nightly", ["read_api"], {
    expiresAt: "2099-01-01",
  });
  const own = new Gitlab({ host: instance.baseUrl, token: String(made["token"]) });
  expect(await own.PersonalAccessTokens.show()).toMatchObject({ id: made.id, name: "nightly", active: true });
  expect((await own.PersonalAccessTokens.all()).map(({ name }) => name)).toEqual(["nightly"]);
  const rotated = await root.PersonalAccessTokens.rotate(made.id);
  expect(await refusedWith(own.PersonalAccessTokens.show())).toBe(401);
  const next = new Gitlab({ host: instance.baseUrl, token: String(rotated["token"]) });
  expect(await next.PersonalAccessTokens.show()).toMatchObject({ scopes: ["read_api"] });
  await next.PersonalAccessTokens.remove();
  expect(await refusedWith(next.PersonalAccessTokens.show())).toBe(401);
  expect(await root.PersonalAccessTokens.show({ tokenId: rotated.id })).toMatchObject({ revoked: true });
});

test("gitbeaker registers and removes applications of the instance", async ({ instance }) => {
  const { root } = await worldOf(instance);
  const made = await root.Applications.create("Beaker", "https://beaker.example/callback", "read_user");
  expect(made).toMatchObject({ application_name: "Beaker", confidential: true });
  const names = (await root.Applications.all()).map(({ application_name }) => application_name);
  expect(names).toContain("Beaker");
  await root.Applications.remove(made.id);
  expect((await root.Applications.all()).map(({ id }) => id)).not.toContain(made.id);
});

test("gitbeaker lists, changes, assigns and removes runners, which it registers by their tokens", async ({
  instance,
}) => {
  const { root, token: rootToken, projectId } = await worldOf(instance);
  const { id: otherId } = await root.Projects.show("beaker/blog");
  const made = await root.Users.createCIRunner("project_type", { projectId, tagList: ["arm"], paused: true });
  expect(made).toMatchObject({ token: expect.any(String) });
  const { id, token } = made;
  expect(await root.Runners.show(id)).toMatchObject({ status: "not_connected", contacted_at: null });

  expect(await root.Runners.create(token, { info: { version: "17.1.0" } })).toMatchObject({ id, token });
  expect(await root.Runners.show(id)).toMatchObject({ online: true, version: "17.1.0", tag_list: ["arm"] });
  expect(await refusedWith(root.Runners.create("ghrn_unknown"))).toBe(403);

  expect(await root.Runners.edit(id, { paused: false, description: "Cellar" })).toMatchObject({
    paused: false,
    description: "Cellar",
  });
  expect(await refusedWith(root.Runners.edit(id))).toBe(400);
  const idsOf = (rows: readonly { id: number }[]) => rows.map((row) => row.id);
  expect(idsOf(await root.Runners.all({ status: "online", tagList: ["arm"] }))).toContain(id);
  expect(idsOf(await root.Runners.all({ owned: true, paused: false }))).toContain(id);
  expect(idsOf(await root.Runners.all({ projectId, perPage: 1 }))).toContain(id);
  expect(idsOf(await root.Runners.all({ groupId: "beaker" }))).not.toContain(id);

  const asked = await fetch(`${instance.baseUrl}/api/graphql`, {
    method: "POST",
    headers: { "private-token": rootToken, "content-type": "application/json" },
    body: JSON.stringify({ query: "{ runners(paused: false) { nodes { id status } } }" }),
  });
  const inGraphql = { id: `gid://gitlab/Ci::Runner/${id}`, status: "ONLINE" };
  expect(await asked.json()).toEqual({ data: { runners: { nodes: expect.arrayContaining([inGraphql]) } } });

  expect(await root.Runners.enable(otherId, id)).toMatchObject({ id });
  expect(idsOf(await root.Runners.all({ projectId: otherId }))).toContain(id);
  await root.Runners.disable(otherId, id);
  expect(await refusedWith(root.Runners.disable(projectId, id))).toBe(403);
  const developer = await clientOf(instance, "tara", "api");
  expect(await refusedWith(developer.Runners.show(id))).toBe(403);
  await root.Runners.remove({ token });
  expect(await refusedWith(root.Runners.show(id))).toBe(404);
});

test("gitbeaker makes, changes, repairs and removes Geo sites, under either name", async ({ instance }) => {
  const { root } = await worldOf(instance);
  for (const { sites, name } of [
    { sites: root.GeoSites, name: "site" },
    { sites: root.GeoNodes, name: "node" },
  ]) {
    const { id } = await sites.create(name, `https://${name}.example.com`);
    expect(await sites.edit(id, { reposMaxCapacity: 5, enabled: false })).toMatchObject({
      repos_max_capacity: 5,
      web_edit_url: expect.stringContaining(`/geo/${name}s/`),
    });
    expect(await sites.repair(id)).toMatchObject({ geo_node_id: id });
    expect(await sites.showStatus(id)).toMatchObject({ health: "Never reported", projects_count: null });
    expect((await sites.all()).map((site) => site.id)).toContain(id);
    await sites.remove(id);
    expect(await refusedWith(sites.show(id))).toBe(404);
  }
});
