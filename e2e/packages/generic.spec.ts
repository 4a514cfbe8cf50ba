import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { notRunnableWithout } from "../../scripts/test-skips.mjs";
import { expect, test } from "../fixtures.ts";
import { type Instance, startInstance } from "../instance.ts";

test.skip(spawnSync("curl", ["--version"]).status !== 0, notRunnableWithout("curl"));
test.describe.configure({ mode: "serial" });

const MEGABYTES = 20;

let instance: Instance;
let folder: string;
let file: string;
let digest: string;
let token: string;
let project: string;
let projectId: string;

async function cli(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await instance.cli(...args);
  if (code !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
  return stdout.trim();
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

test.beforeAll(async () => {
  instance = await startInstance();
  folder = mkdtempSync(join(tmpdir(), "gatehouse-packages-"));
  file = join(folder, "tool.bin");
  const content = randomBytes(MEGABYTES * 1_048_576);
  writeFileSync(file, content);
  digest = sha256(content);
  token = await cli("token", "create", "--user=root", "--scopes=api", "--name=packages");
  projectId = await cli(
    ...["project", "create", "--path", "wares/tools"],
    ...["--owner", "root", "--visibility", "public"],
  );
  project = `${instance.baseUrl}/api/v4/projects/wares%2Ftools/packages`;
});

test.afterAll(async () => {
  await instance?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** Runs curl. @returns the output of curl, which ends with the status of the response. */
async function curl(...args: readonly string[]): Promise<{ status: number; body: string }> {
  const child = spawn("curl", ["--silent", "--show-error", "--write-out", "\n%{http_code}", ...args]);
  const out = await outputOf(child);
  const at = out.lastIndexOf("\n");
  return { status: Number(out.slice(at + 1)), body: out.slice(0, at) };
}

async function outputOf({ stdout, stderr }: ChildProcess): Promise<string> {
  let out = "";
  for await (const chunk of stdout ?? []) out += chunk;
  for await (const chunk of stderr ?? []) out += chunk;
  return out;
}

const header = (value: string) => ["--header", `PRIVATE-TOKEN: ${value}`];
const urlOf = (name: string) => `${project}/generic/tool/1.0.0/${name}`;

test("curl publishes and downloads large files, with the token in a header or as the password", async () => {
  const published = await curl(
    ...header(token),
    "--upload-file",
    file,
    `${urlOf("tool.bin")}?select=package_file`,
  );
  expect(published.status).toBe(201);
  expect(JSON.parse(published.body)).toMatchObject({ size: MEGABYTES * 1_048_576, file_sha256: digest });
  const named = await curl("--user", `root:${token}`, "--upload-file", file, urlOf("again.bin"));
  expect(named).toEqual({ status: 201, body: '{"message":"201 Created"}' });
  for (const [way, name] of [
    [header(token), "again.bin"],
    [["--user", `anybody:${token}`], "tool.bin"],
  ] as const) {
    const copy = join(folder, "copy");
    expect((await curl(...way, "--output", copy, urlOf(name))).status).toBe(200);
    expect(sha256(readFileSync(copy))).toBe(digest);
  }
  // This curl command resumes an interrupted download.
  const part = join(folder, "part");
  writeFileSync(part, readFileSync(file).subarray(0, 5_000_001));
  expect(
    (await curl(...header(token), "--continue-at", "-", "--output", part, urlOf("tool.bin"))).status,
  ).toBe(206);
  expect(sha256(readFileSync(part))).toBe(digest);
  const v5 = urlOf("tool.bin").replace("/v4/", "/v5/");
  expect((await curl(...header(token), "--head", v5)).body).toContain(`etag: "${digest}"`);
});

test("an upload with an OAuth token is refused before the file is read", async () => {
  const login = { username: "una", password: "correct horse battery" };
  const user = ["--username", login.username, "--email", "una@example.com", "--password", login.password];
  expect((await instance.cli("user", "create", ...user)).code).toBe(0);
  const form = { grant_type: "password", ...login };
  const response = await fetch(`${instance.baseUrl}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams(form),
  });
  const { access_token: oauth } = (await response.json()) as { access_token: string };
  expect(
    (await curl("--header", `Authorization: Bearer ${oauth}`, `${instance.baseUrl}/api/v4/user`)).status,
  ).toBe(200);
  for (const way of [
    header(oauth),
    ["--header", `Authorization: Bearer ${oauth}`],
    ["--user", `oauth2:${oauth}`],
  ]) {
    const refused = await curl(...way, "--upload-file", file, urlOf("oauth.bin"));
    expect(refused.status).toBe(401);
    expect(JSON.parse(refused.body).message).toMatch(/^401 Unauthorized - .* personal access tokens only/);
    expect((await curl(...way, urlOf("tool.bin"))).status).toBe(401);
    expect((await curl(...way, project)).status).toBe(401);
  }
});

test("an interrupted package upload leaves no file", async () => {
  const sending = spawn("curl", [
    "--silent",
    "--limit-rate",
    "1M",
    ...header(token),
    "-T",
    file,
    urlOf("cut.bin"),
  ]);
  const arriving = join(instance.dataDir, "packages", "arriving");
  await expect.poll(() => readdirSync(arriving).length).toBe(1);
  sending.kill("SIGKILL");
  await expect.poll(() => readdirSync(arriving)).toEqual([]);
  expect((await curl(...header(token), urlOf("cut.bin"))).status).toBe(404);
});

test("packages are listed by the API and on the packages page, and the API deletes packages", async ({
  page,
}) => {
  const list = `${instance.baseUrl}/projects/${projectId}/packages`;
  await page.goto(list);
  await expect(page.getByRole("row", { name: "tool" })).toContainText("1.0.0");
  await expect(page.getByText("curl --fail")).toHaveCount(1);
  await page.getByLabel("Find a package").fill("other");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByText("No packages found")).toBeVisible();
  const callApi = async (...args: readonly string[]) => {
    const { status, body } = await curl(...header(token), ...args);
    return { status, body: (body === "" ? null : JSON.parse(body)) as Record<string, unknown>[] | null };
  };
  const [listed] = (await callApi(`${project}?package_name=tool`)).body ?? [];
  expect(listed).toMatchObject({ name: "tool", version: "1.0.0", package_type: "generic" });
  const packageUrl = `${project}/${listed?.["id"]}`;
  const files = (await callApi(`${packageUrl}/package_files`)).body ?? [];
  expect(files.map((row) => [row["file_name"], row["file_sha256"]])).toEqual([
    ["tool.bin", digest],
    ["again.bin", digest],
  ]);
  expect(await callApi("--request", "DELETE", `${packageUrl}/package_files/${files[0]?.["id"]}`)).toEqual({
    status: 204,
    body: null,
  });
  expect((await callApi(urlOf("tool.bin"))).status).toBe(404);
  expect((await callApi("--request", "DELETE", packageUrl)).status).toBe(204);
  expect((await callApi(project)).body).toEqual([]);
  const [projectFolder = ""] = readdirSync(join(instance.dataDir, "packages")).filter(
    (name) => name !== "arriving",
  );
  expect(readdirSync(join(instance.dataDir, "packages", projectFolder))).toEqual([]);
});
