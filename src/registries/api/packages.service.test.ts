import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as packageFile from "@app/api/v4/projects/[id]/packages/[package_id]/package_files/[file_id]/route.ts";
import * as packageFiles from "@app/api/v4/projects/[id]/packages/[package_id]/package_files/route.ts";
import * as onePackage from "@app/api/v4/projects/[id]/packages/[package_id]/route.ts";
import * as generic from "@app/api/v4/projects/[id]/packages/generic/[package_name]/[package_version]/[file_name]/route.ts";
import * as packages from "@app/api/v4/projects/[id]/packages/route.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { changeSettings, readSettings } from "@/instance/settings/service.ts";
import { issue } from "@/oauth/tokens/service.ts";
import { sweepFiles } from "@/registries/packages/service.ts";
import { apiUser, callApi, tokenWith } from "@/testing/api.ts";
import { ORIGIN, registeredClient } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, memberOf, projectOf } from "@/testing/projects.ts";
import { deleteGroup } from "@/workspace/groups/service.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";
import { deleteProject } from "@/workspace/projects/service.ts";

const deps = await openTestDeps();
const owner = await apiUser(deps, "owner");
const developer = await apiUser(deps, "developer");
const reporter = await apiUser(deps, "reporter");
const folder = join(deps.config.dataDir, "packages");

let project: AuthorizedProject;
let open: AuthorizedProject;
let oauthToken: string;

beforeAll(async () => {
  project = await projectOf(deps, owner.user, "shop");
  open = await projectOf(deps, owner.user, "open", { visibility: "public" });
  await memberOf(deps, project, developer.user, "developer");
  await memberOf(deps, project, reporter.user, "reporter");
  const { application } = await registeredClient(deps, owner.user, { scopes: ["api", "read_user"] });
  const grant = { type: "authorization_code", applicationId: application.id, userId: owner.user.id } as const;
  oauthToken = (await issue(deps, await readSettings(deps), { ...grant, scopes: ["api"] })).accessToken;
});

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

type Names = Readonly<{ name?: string; version?: string; file?: string; in?: AuthorizedProject }>;

function pathOf({ name = "tool", version = "1.0", file = "tool.bin", in: where = project }: Names) {
  return { id: String(where.id), package_name: name, package_version: version, file_name: file };
}

type Upload = Names &
  Readonly<{ token?: string; headers?: Record<string, string>; query?: string; body?: BodyInit }>;

async function put({ token, headers, query = "", body = "content", ...names }: Upload = {}) {
  const requestHeaders = headers ?? { "private-token": token ?? developer.token };
  const request = new Request(`${ORIGIN}/api/v4/x${query}`, {
    ...{ method: "PUT", headers: requestHeaders, body, duplex: "half" },
  });
  const response = await generic.PUT(request, { params: Promise.resolve(pathOf(names)) });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function get(names: Names = {}, headers: Record<string, string> = {}, method = "GET") {
  const token: Record<string, string> = "authorization" in headers ? {} : { "private-token": reporter.token };
  const request = new Request(`${ORIGIN}/api/v4/x`, { method, headers: { ...token, ...headers } });
  return generic.GET(request, { params: Promise.resolve(pathOf(names)) });
}

const list = async (query = "", token = reporter.token) => {
  const response = await callApi(packages.GET, "GET", { token, path: { id: String(project.id) }, query });
  return { ...response, body: response.body as readonly Record<string, unknown>[] };
};

const packageNamed = async (name: string): Promise<string> => {
  const [row] = (await list(`?package_name=${name}`)).body;
  return String(row?.["id"]);
};

/** Returns the paths of the stored files of a project. */
const stored = ({ id } = project): readonly string[] =>
  existsSync(join(folder, String(id))) ? readdirSync(join(folder, String(id))) : [];
const arriving = () => readdirSync(join(folder, "arriving"));

describe("a generic package", () => {
  it("a generic package is published, listed, downloaded and deleted", async () => {
    expect(await put({ name: "cycle" })).toEqual({ status: 201, body: { message: "201 Created" } });
    const second = await put({
      name: "cycle",
      file: "notes.txt",
      query: "?select=package_file",
      body: "notes",
    });
    expect(second).toEqual({
      status: 201,
      body: expect.objectContaining({
        file_name: "notes.txt",
        size: 5,
        file_sha256: sha256("notes"),
        file: { url: `${ORIGIN}/api/v4/projects/${project.id}/packages/generic/cycle/1.0/notes.txt` },
      }),
    });
    const id = await packageNamed("cycle");
    const path = { id: String(project.id), package_id: id };
    const token = reporter.token;
    const files = await callApi(packageFiles.GET, "GET", { token, path });
    expect(files.body).toMatchObject([
      { package_id: Number(id), file_name: "tool.bin", file_sha256: sha256("content"), size: 7 },
      { file_name: "notes.txt" },
    ]);
    const response = await get({ name: "cycle", file: "notes.txt" });
    expect(await response.text()).toBe("notes");
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-length": "5",
      "content-disposition": 'attachment; filename="notes.txt"',
      etag: `"${sha256("notes")}"`,
      "repr-digest": `sha-256=:${createHash("sha256").update("notes").digest("base64")}:`,
    });
    const remove = (token: string) => callApi(onePackage.DELETE, "DELETE", { token, path });
    expect((await remove(developer.token)).status).toBe(403);
    const [first] = files.body as readonly { id: number }[];
    const ofFile = { token: owner.token, path: { ...path, file_id: String(first?.id) } };
    expect((await callApi(packageFile.DELETE, "DELETE", ofFile)).status).toBe(204);
    expect((await callApi(packageFile.DELETE, "DELETE", ofFile)).status).toBe(404);
    expect((await get({ name: "cycle" })).status).toBe(404);
    expect(stored()).toHaveLength(1);
    expect((await remove(owner.token)).status).toBe(204);
    expect((await remove(owner.token)).status).toBe(404);
    expect(stored()).toEqual([]);
    const events = await deps.db.auditEvent.findMany({
      where: { name: { startsWith: "package." } },
      orderBy: { id: "asc" },
    });
    expect(events.map(({ name }) => name)).toEqual([
      "package.file_published",
      "package.file_published",
      "package.file_removed",
      "package.removed",
    ]);
  });

  it("generic packages are listed with filters, sorting and pagination", async () => {
    for (const [name, version] of [
      ["list-b", "1.0"],
      ["List-a", "2.0"],
      ["list-a", "3.0"],
    ])
      await put({ name: String(name), version: String(version) });
    const names = async (query: string) =>
      (await list(query)).body.map(({ name, version }) => `${name} ${version}`);
    expect(await names("?package_name=list&order_by=version&sort=desc")).toEqual([
      "list-a 3.0",
      "List-a 2.0",
      "list-b 1.0",
    ]);
    expect(await names("?package_name=list&order_by=name")).toEqual([
      "List-a 2.0",
      "list-a 3.0",
      "list-b 1.0",
    ]);
    expect(await names("?package_name=LIST-A&package_version=3.0")).toEqual(["list-a 3.0"]);
    expect(await names("?package_type=npm")).toEqual([]);
    const page = await list("?package_name=list&per_page=2&page=2");
    expect(page.body).toHaveLength(1);
    expect(page.headers.get("x-total")).toBe("3");
    expect(await names("?pagination=keyset&per_page=1")).toHaveLength(1);
    expect((await list("?order_by=size")).status).toBe(400);
  });

  it("a new package file replaces an existing file with the same name, and the old content is deleted", async () => {
    await put({ name: "again", body: "old" });
    const before = stored().length;
    await put({ name: "again", body: "new" });
    expect(await (await get({ name: "again" })).text()).toBe("new");
    expect(stored()).toHaveLength(before);
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, at) => put({ name: "race", body: `content ${at}` })),
    );
    expect(all.map(({ status }) => status)).toEqual(new Array(8).fill(201));
    expect(stored()).toHaveLength(before + 1);
    expect(await (await get({ name: "race" })).text()).toMatch(/^content \d$/);
    expect(await deps.db.publishedFile.count({ where: { package: { name: "race" } } })).toBe(1);
  });

  it("a generic package is not created if the upload ends early or is too large, or if the project is deleted during the upload", async () => {
    const before = stored();
    const breaking = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from("half")),
      pull: (controller) => controller.error(new Error("gone")),
    });
    expect((await put({ name: "broken", body: breaking })).status).toBe(400);
    await changeSettings(deps, { generic_package_file_size_max: "6" });
    expect((await put({ name: "broken" })).status).toBe(413);
    expect((await put({ name: "broken", body: "six by" })).status).toBe(201);
    await changeSettings(deps, { generic_package_file_size_max: "1000" });
    const doomed = await projectOf(deps, owner.user, "doomed");
    const late = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        await deleteProject(deps, doomed, owner.user);
        controller.enqueue(Buffer.from("late"));
        controller.close();
      },
    });
    expect((await put({ in: doomed, token: owner.token, body: late })).status).toBe(404);
    expect(stored(doomed)).toEqual([]);
    expect(arriving()).toEqual([]);
    expect(stored()).toHaveLength(before.length + 1);
  });

  it.each([
    { name: "a/b" },
    { name: "../x" },
    { name: "a..b" },
    { name: "." },
    { name: "" },
    { name: "ä" },
    { name: "a\nb" },
    { name: "a".repeat(256) },
    { version: "1 0" },
    { version: "1/0" },
    { file: "../../etc/passwd" },
    { file: 'a"b' },
    { file: "a;b" },
    { file: "@a" },
    { file: "a~" },
  ])("a generic package cannot have the unsafe name %j", async (names) => {
    const refused = await put(names);
    expect(refused.status).toBe(400);
    expect(refused.body["error"]).toMatch(/^(package_name|package_version|file_name) is invalid$/);
    expect((await get(names)).status).toBe(400);
  });

  it("a package file can be downloaded with range requests and conditional requests", async () => {
    await put({ name: "parts", body: "0123456789" });
    const download = (headers: Record<string, string>, method?: string) =>
      get({ name: "parts" }, headers, method);
    const part = await download({ range: "bytes=4-6" });
    expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([
      206,
      "bytes 4-6/10",
      "456",
    ]);
    expect((await download({ range: "bytes=10-" })).status).toBe(416);
    const etag = `"${sha256("0123456789")}"`;
    expect(await (await download({ range: "bytes=8-", "if-range": etag })).text()).toBe("89");
    expect(await (await download({ range: "bytes=8-", "if-range": '"other"' })).text()).toBe("0123456789");
    expect((await download({ "if-none-match": etag })).status).toBe(304);
    const head = await download({}, "HEAD");
    expect([head.status, head.headers.get("content-length"), head.body]).toEqual([200, "10", null]);
    await put({ name: "parts", body: "" });
    const empty = await download({});
    expect([empty.status, empty.headers.get("content-length"), await empty.text()]).toEqual([200, "0", ""]);
    expect((await list("?package_name=parts")).body).toMatchObject([
      { last_downloaded_at: deps.clock().toISOString() },
    ]);
  });

  it(
    conformance(
      "SC-34",
      "a generic package can be published and downloaded with a personal access token, but an OAuth token is rejected with an explanation",
    ),
    async () => {
      const basic = (user: string, password: string) => ({
        authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
      });
      const refused = { message: expect.stringMatching(/^401 Unauthorized - .* does not accept OAuth/) };
      expect((await put({ headers: basic("any-name", developer.token) })).status).toBe(201);
      expect((await put({ headers: { authorization: `Bearer ${developer.token}` } })).status).toBe(201);
      expect((await get({}, basic("", reporter.token))).status).toBe(200);
      for (const headers of [
        basic("oauth2", oauthToken),
        basic("owner", "wrong"),
        { authorization: `Bearer ${oauthToken}` },
        { "private-token": oauthToken },
      ])
        expect(await put({ headers })).toEqual({ status: 401, body: refused });
      expect(await put({ in: open, headers: {} })).toEqual({
        status: 401,
        body: { message: "401 Unauthorized" },
      });
      await put({ in: open, token: owner.token });
      const anonymous = (headers: Record<string, string>) =>
        generic.GET(new Request(`${ORIGIN}/api/v4/x`, { headers }), {
          params: Promise.resolve(pathOf({ in: open })),
        });
      expect((await anonymous({})).status).toBe(200);
      expect((await anonymous({ authorization: `Bearer ${oauthToken}` })).status).toBe(401);
      const path = { id: String(project.id), package_id: await packageNamed("tool"), file_id: "1" };
      for (const [route, method] of [
        [packages.GET, "GET"],
        [onePackage.GET, "GET"],
        [packageFiles.GET, "GET"],
        [onePackage.DELETE, "DELETE"],
        [packageFile.DELETE, "DELETE"],
      ] as const)
        expect(await callApi(route, method, { token: oauthToken, path })).toMatchObject({ status: 401 });
      expect((await put({ token: await tokenWith(deps, owner.user, ["read_api"]) })).status).toBe(403);
      expect((await put({ token: reporter.token })).status).toBe(403);
    },
  );

  it("a generic package is deleted when the project or an ancestor group of the project is deleted", async () => {
    const group = await groupOf(deps, owner.user, "team");
    const below = await projectOf(deps, owner.user, "below", { group });
    const alone = await projectOf(deps, owner.user, "alone");
    for (const owned of [below, alone]) await put({ in: owned, token: owner.token });
    await deleteProject(deps, alone, owner.user);
    expect(existsSync(join(folder, String(alone.id)))).toBe(false);
    expect(stored(below)).toHaveLength(1);
    await deleteGroup(deps, group, owner.user);
    expect(existsSync(join(folder, String(below.id)))).toBe(false);
  });

  it("the scheduled job for pruning deletes only package files that have had no database row for an hour", async () => {
    await put({ name: "kept" });
    const storedNames = stored();
    const hour = 3_600_000;
    const at = (ago: number) => new Date(deps.clock().getTime() - ago);
    const leave = (path: string, ago: number) => {
      writeFileSync(path, "x");
      utimesSync(path, at(ago), at(ago));
    };
    for (const name of storedNames)
      utimesSync(join(folder, String(project.id), name), at(2 * hour), at(2 * hour));
    mkdirSync(join(folder, "4711"));
    leave(join(folder, "arriving", "old"), hour + 1);
    leave(join(folder, "arriving", "young"), hour - 1000);
    leave(join(folder, "4711", `${"a".repeat(64)}.${"b".repeat(32)}`), 2 * hour);
    leave(join(folder, String(project.id), `${"a".repeat(64)}.${"c".repeat(32)}`), 2 * hour);
    expect(await sweepFiles(deps)).toBe(3);
    expect(arriving()).toEqual(["young"]);
    expect(stored().toSorted()).toEqual(storedNames.toSorted());
    rmSync(join(folder, "arriving", "young"));
    expect((await get({ name: "kept" })).status).toBe(200);
  });

  it("the API responds with 500 to a request for a package file whose content is missing on the disk", async () => {
    await put({ name: "lost" });
    const { sha256: digest, key } = await deps.db.publishedFile.findFirstOrThrow({
      where: { package: { name: "lost" } },
    });
    rmSync(join(folder, String(project.id), `${digest}.${key}`));
    expect((await get({ name: "lost" })).status).toBe(500);
  });
});
