import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../scripts/program.mjs";
import { notRunnableWithout } from "../../scripts/test-skips.mjs";
import { expect, test } from "../fixtures.ts";
import { type Instance, startInstance } from "../instance.ts";
import {
  type Bench,
  type Ended,
  missingPrograms,
  openBench,
  type Registry,
  sha256,
  startRegistry,
} from "./registry.ts";

const missing = missingPrograms();
test.skip(missing.length > 0, notRunnableWithout("container-registry"));
test.describe.configure({ mode: "serial" });

const PASSWORD = "correct horse battery";
const NOTIFICATION_TOKEN = randomBytes(16).toString("hex");

let instance: Instance;
let registry: Registry;
let bench: Bench;
const tokens = {
  pusher: "",
  reader: "",
  everything: "",
  api: "",
  guest: "",
  stranger: "",
  outsider: "",
  oauth: "",
};

async function cli(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await instance.cli(...args);
  if (code !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
  return stdout.trim();
}

/** Calls the API as the administrator. @throws an Error for an error response. */
async function make(path: string, body: object): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(`${instance.baseUrl}/api/v4${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${tokens.everything}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

const user = async (username: string) =>
  (await make("/users", { username, name: username, email: `${username}@example.com`, password: PASSWORD }))[
    "id"
  ];

const token = async (userId: unknown, ...scopes: readonly string[]) =>
  String((await make(`/users/${userId}/personal_access_tokens`, { name: "spec", scopes }))["token"]);

async function oauthToken(): Promise<string> {
  const response = await fetch(`${instance.baseUrl}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "password",
      username: "imagedev",
      password: PASSWORD,
      scope: "api",
    }),
  });
  return String((await response.json()).access_token);
}

test.beforeAll(async () => {
  const port = await freePort();
  instance = await startInstance({
    env: { REGISTRY_URL: `http://localhost:${port}`, REGISTRY_NOTIFICATION_TOKEN: NOTIFICATION_TOKEN },
  });
  bench = openBench();
  const certificate = join(bench.folder, "gatehouse.crt");
  await cli("registry", "certificate", "--out", certificate);
  registry = await startRegistry({
    port,
    folder: bench.folder,
    baseUrl: instance.baseUrl,
    certificate,
    notificationToken: NOTIFICATION_TOKEN,
  });
  tokens.everything = await cli("token", "create", "--user", "root", "--scopes", "api", "--name", "spec");
  const [dev, guest, stranger] = [
    await user("imagedev"),
    await user("imageguest"),
    await user("imagestranger"),
  ];
  const team = await make("/groups", { name: "imageteam", path: "imageteam", visibility: "public" });
  const shop = await make("/projects", { path: "shop", namespace_id: team["id"] });
  await make("/projects", { path: "open", namespace_id: team["id"], visibility: "public" });
  await make(`/projects/${shop["id"]}/members`, { user_id: dev, access_level: 40 });
  await make(`/projects/${shop["id"]}/members`, { user_id: guest, access_level: 10 });
  tokens.pusher = await token(dev, "read_registry", "write_registry");
  tokens.reader = await token(dev, "read_registry");
  tokens.api = await token(dev, "read_api", "write_repository");
  tokens.guest = await token(guest, "read_registry", "write_registry");
  tokens.stranger = await token(stranger, "read_registry", "write_registry");
  tokens.outsider = await token(stranger, "api");
  tokens.oauth = await oauthToken();
});

test.afterAll(async () => {
  await registry?.stop();
  await instance?.stop();
  bench?.remove();
});

const at = (image: string) => `docker://${registry.host}/${image}`;

const push = (from: string, image: string, secret: string, name = "anything"): Promise<Ended> =>
  bench.skopeo("copy", "--dest-tls-verify=false", `--dest-creds=${name}:${secret}`, from, at(image));

/** Inspects an image with skopeo, without a token if `secret` is null. */
const inspect = (image: string, secret: string | null): Promise<Ended> =>
  bench.skopeo(
    "inspect",
    "--tls-verify=false",
    ...(secret === null ? ["--no-creds"] : [`--creds=x:${secret}`]),
    at(image),
  );

const login = (secret: string): Promise<Ended> =>
  bench.skopeo("login", "--tls-verify=false", "--username=imagedev", `--password=${secret}`, registry.host);

const refused = expect.objectContaining({
  code: 1,
  err: expect.stringMatching(/unauthorized|denied|403|invalid username\/password/i),
});
const well = expect.objectContaining({ code: 0 });

async function api(path: string, secret: string, method = "GET") {
  const response = await fetch(`${instance.baseUrl}/api/v4${path}`, {
    method,
    headers: { authorization: `Bearer ${secret}` },
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
}

const SHOP = "/projects/imageteam%2Fshop/registry/repositories";

test("the registry accepts a login only with a personal access token that has a registry scope", async () => {
  expect(await login(tokens.pusher)).toEqual(well);
  expect(await login(tokens.reader)).toEqual(well);
  for (const secret of [tokens.oauth, PASSWORD, `${tokens.pusher}x`, tokens.api])
    expect(await login(secret)).toEqual(refused);
});

test("pushing and pulling images require a suitable token, scope and role", async () => {
  const image = bench.image("one");
  for (const secret of [tokens.reader, tokens.oauth, tokens.api, tokens.guest, tokens.stranger, PASSWORD])
    expect(await push(image, "imageteam/shop/web:v1", secret)).toEqual(refused);
  expect(await push(image, "imageteam/shop/web:v1", tokens.oauth, "oauth2")).toEqual(refused);
  expect(await push(image, "imageteam/nothing/web:v1", tokens.pusher)).toEqual(refused);
  expect(await push(image, "imageteam/open:v1", tokens.pusher)).toEqual(refused);
  expect(await push(image, "imageteam/shop/web:v1", tokens.pusher)).toEqual(well);
  expect(await push(image, "imageteam/open:v1", tokens.everything)).toEqual(well);

  for (const secret of [null, tokens.guest, tokens.stranger, tokens.oauth, tokens.api])
    expect(await inspect("imageteam/shop/web:v1", secret)).toEqual(refused);
  expect(await inspect("imageteam/open:v1", null)).toEqual(well);
  expect(await inspect("imageteam/open:v1", tokens.stranger)).toEqual(well);

  const pulledFolder = join(bench.folder, "back");
  const pulled = ["copy", "--src-tls-verify=false", `--src-creds=x:${tokens.reader}`];
  expect(await bench.skopeo(...pulled, at("imageteam/shop/web:v1"), `dir:${pulledFolder}`)).toEqual(well);
  expect(readFileSync(join(pulledFolder, "manifest.json"))).toEqual(
    readFileSync(join(bench.folder, "one", "manifest.json")),
  );
});

test("the API lists pushed images, even if the request has an OAuth token", async () => {
  const listed = async () => (await api(`${SHOP}?tags=true&tags_count=true`, tokens.oauth)).body;
  await expect.poll(listed).toHaveLength(1);
  const [web] = await listed();
  const location = `${registry.host}/imageteam/shop/web`;
  expect(web).toMatchObject({
    name: "web",
    path: "imageteam/shop/web",
    location,
    tags_count: 1,
    tags: [{ name: "v1", path: "imageteam/shop/web:v1", location: `${location}:v1` }],
  });
  expect((await api(`/registry/repositories/${web.id}`, tokens.oauth)).body).toMatchObject({ id: web.id });
  await expect
    .poll(async () => (await api("/groups/imageteam/registry/repositories", tokens.everything)).body)
    .toHaveLength(2);
  const manifest = readFileSync(join(bench.folder, "one", "manifest.json"));
  const { config, layers } = JSON.parse(manifest.toString());
  expect(await api(`${SHOP}/${web.id}/tags/v1`, tokens.oauth)).toEqual({
    status: 200,
    body: {
      name: "v1",
      path: "imageteam/shop/web:v1",
      location: `${location}:v1`,
      revision: config.digest.slice(7),
      short_revision: config.digest.slice(7, 16),
      digest: `sha256:${sha256(manifest)}`,
      created_at: "2026-01-02T03:04:05.000Z",
      total_size: layers[0].size,
    },
  });
  for (const secret of [tokens.stranger, tokens.pusher]) expect((await api(SHOP, secret)).status).toBe(403);
  expect((await api(SHOP, tokens.outsider)).status).toBe(404);
});

test("the API deletes single tags, tags in bulk and whole image repositories from the registry", async () => {
  for (const tag of ["same", "v2"])
    expect(
      await push(`dir:${join(bench.folder, "one")}`, `imageteam/shop/web:${tag}`, tokens.pusher),
    ).toEqual(well);
  for (const tag of ["v3", "latest"])
    expect(
      await push(bench.image(tag, "2026-05-01T00:00:00Z"), `imageteam/shop/web:${tag}`, tokens.pusher),
    ).toEqual(well);
  const [web] = (await api(SHOP, tokens.oauth)).body;
  const tags = async () =>
    (await api(`${SHOP}/${web.id}/tags`, tokens.oauth)).body.map(({ name }: { name: string }) => name);
  expect(await tags()).toEqual(["latest", "same", "v1", "v2", "v3"]);

  expect((await api(`${SHOP}/${web.id}/tags/same`, tokens.api, "DELETE")).status).toBe(403);
  expect((await api(`${SHOP}/${web.id}/tags/same`, tokens.oauth, "DELETE")).status).toBe(200);
  expect((await api(`${SHOP}/${web.id}/tags/same`, tokens.oauth, "DELETE")).status).toBe(404);
  expect(await tags()).toEqual(["latest", "v1", "v2", "v3"]);
  expect((await inspect("imageteam/shop/web:same", tokens.reader)).err).toContain("manifest unknown");
  expect(await inspect("imageteam/shop/web:v1", tokens.reader)).toEqual(well);

  const bulk = `${SHOP}/${web.id}/tags?name_regex_delete=v.*&keep_n=1`;
  expect((await api(bulk, tokens.oauth, "DELETE")).status).toBe(202);
  expect((await api(bulk, tokens.oauth, "DELETE")).status).toBe(400);
  await expect.poll(tags).toEqual(["latest", "v3"]);

  expect((await api(`${SHOP}/${web.id}`, tokens.oauth, "DELETE")).status).toBe(202);
  expect((await api(SHOP, tokens.oauth)).body).toEqual([]);
  await expect
    .poll(async () => (await inspect("imageteam/shop/web:latest", tokens.reader)).err)
    .toContain("manifest unknown");
  // A client can push images to a deleted image repository again.
  expect(await push(`dir:${join(bench.folder, "one")}`, "imageteam/shop/web:v9", tokens.pusher)).toEqual(
    well,
  );
  await expect.poll(async () => (await api(SHOP, tokens.oauth)).body).toHaveLength(1);
});

test("without JavaScript, the registry page shows the images to users who can pull images", async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: instance.baseUrl, javaScriptEnabled: false });
  const page = await context.newPage();
  const { body } = await api("/projects/imageteam%2Fopen", tokens.outsider);
  await page.goto(`/projects/${body.id}`);
  await page.getByRole("link", { name: "Images" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Container images");
  await expect(page.getByRole("list", { name: "Tags" })).toHaveText("v1");
  await expect(page.getByText(`docker pull ${registry.host}/imageteam/open:v1`)).toBeVisible();
  const shop = (await api("/projects/imageteam%2Fshop", tokens.oauth)).body;
  await page.goto(`/projects/${shop.id}/container_registry`);
  await expect(page).toHaveURL(/sign_in/);
  await context.close();
});

test("the API reports that the registry cannot be reached", async () => {
  await registry.stop();
  const [web] = (await api(SHOP, tokens.oauth)).body;
  expect(await api(`${SHOP}/${web.id}/tags`, tokens.oauth)).toEqual({
    status: 503,
    body: { message: expect.stringContaining("does not respond") },
  });
});
