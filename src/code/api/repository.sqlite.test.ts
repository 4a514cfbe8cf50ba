import { createHash } from "node:crypto";
import * as branch from "@app/api/v4/projects/[id]/repository/branches/[branch]/route.ts";
import * as branches from "@app/api/v4/projects/[id]/repository/branches/route.ts";
import * as commitDiff from "@app/api/v4/projects/[id]/repository/commits/[sha]/diff/route.ts";
import * as oneCommit from "@app/api/v4/projects/[id]/repository/commits/[sha]/route.ts";
import * as commits from "@app/api/v4/projects/[id]/repository/commits/route.ts";
import * as compare from "@app/api/v4/projects/[id]/repository/compare/route.ts";
import * as raw from "@app/api/v4/projects/[id]/repository/files/[file_path]/raw/route.ts";
import * as file from "@app/api/v4/projects/[id]/repository/files/[file_path]/route.ts";
import * as tags from "@app/api/v4/projects/[id]/repository/tags/route.ts";
import * as tree from "@app/api/v4/projects/[id]/repository/tree/route.ts";
import * as oneProject from "@app/api/v4/projects/[id]/route.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { runGit } from "@/code/git/program.ts";
import { GIT_WAITING_MAX, withGitSlot } from "@/code/git/queue.ts";
import { repositoryOf } from "@/code/repositories/service.ts";
import { apiUser, callApi, tokenWith } from "@/testing/api.ts";
import { ORIGIN } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { memberOf, projectOf } from "@/testing/projects.ts";
import { commitAll, GIT, gitIsHere } from "@/testing/repository.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";

const deps = await openTestDeps();
const owner = await apiUser(deps, "owner");
const guest = await apiUser(deps, "guest");
const stranger = await apiUser(deps, "stranger");
const BINARY = Uint8Array.from([0, 1, 2, 255]);
const SIGNED = {
  GIT_AUTHOR_NAME: "Ann",
  GIT_AUTHOR_EMAIL: "ann@example.com",
  GIT_COMMITTER_NAME: "Ann",
  GIT_COMMITTER_EMAIL: "ann@example.com",
};

let project: AuthorizedProject;
let empty: AuthorizedProject;
let reader: string;

beforeAll(async () => {
  project = await projectOf(deps, owner.user, "shop");
  empty = await projectOf(deps, owner.user, "empty", { visibility: "public" });
  await memberOf(deps, project, guest.user, "guest");
  reader = await tokenWith(deps, owner.user, ["read_repository"]);
  if (!gitIsHere) return;
  await commitAll(deps, project, [
    {
      branch: "main",
      message: "Begin\n\nAll of it.",
      files: { "README.md": "# Shop\n", "src/pay.js": "one\n" },
    },
    { branch: "main", message: "Add a picture", files: { "logo.bin": BINARY, "src/deep/x.txt": "x\n" } },
    {
      branch: "feature/a",
      message: "Change paying",
      files: { "src/pay.js": "one\ntwo\n", "README.md": null },
    },
  ]);
  const call = { cwd: await repositoryOf(deps, project), path: deps.config.programPath };
  await runGit(["tag", "-a", "-m", "First", "v1", "main~1"], { ...call, variables: SIGNED });
});

type Method = "GET" | "POST" | "DELETE";
type Routes = Readonly<Partial<Record<Method, Parameters<typeof callApi>[0]>>>;

async function request(
  routes: Routes,
  more: Readonly<Record<string, string>> = {},
  query = "",
  token = reader,
) {
  const route = routes.GET;
  if (route === undefined) throw new Error("no GET");
  return callApi(route, "GET", { token, path: { id: String(project.id), ...more }, query });
}

const names = (body: unknown, field: string) =>
  (body as readonly Record<string, unknown>[]).map((row) => row[field]);

describe("the repository API", GIT, () => {
  it("the repository API returns folder entries and file contents at a branch, a tag or a commit", async () => {
    const root = await request(tree);
    expect(root.body).toEqual([
      { id: expect.stringMatching(/^[0-9a-f]{40}$/), name: "src", type: "tree", path: "src", mode: "040000" },
      expect.objectContaining({ name: "README.md", type: "blob", mode: "100644" }),
      expect.objectContaining({ name: "logo.bin" }),
    ]);
    expect(names((await request(tree, {}, "?path=src&recursive=true")).body, "path")).toEqual([
      "src/deep",
      "src/deep/x.txt",
      "src/pay.js",
    ]);
    expect(names((await request(tree, {}, "?ref=feature%2Fa")).body, "name")).toEqual(["src", "logo.bin"]);
    expect(names((await request(tree, {}, "?ref=v1&per_page=1&page=2")).body, "name")).toEqual(["README.md"]);
    for (const query of [
      "?path=nothing",
      "?path=../..",
      "?path=src/pay.js",
      "?ref=nothing",
      "?ref=--all",
      "?path=%2e%2e",
    ])
      expect(await request(tree, {}, query)).toMatchObject({
        status: 404,
        body: { message: "404 Tree Not Found" },
      });
  });

  it(
    conformance(
      "SC-27",
      "the file endpoints of the repository API send the properties of a file in the headers of GET and HEAD responses",
    ),
    async () => {
      const named = await projectOf(deps, owner.user, "named");
      await commitAll(deps, named, [
        { branch: "main", message: "Name", files: { '"src/größe\\n 漢.txt"': "x", "plain.txt": "plain\n" } },
      ]);
      const call = (route: Routes, method: "GET" | "HEAD", file_path: string, version: string) =>
        callApi(route.GET as Parameters<typeof callApi>[0], method, {
          ...{ token: reader, path: { id: String(named.id), file_path }, query: "?ref=main" },
          pathname: `/api/${version}/x`,
        });
      for (const version of ["v4", "v5"])
        for (const method of ["GET", "HEAD"] as const)
          for (const route of [file, raw]) {
            const { status, headers } = await call(route, method, "plain.txt", version);
            const properties = [...headers].filter(([name]) => name.startsWith("x-gitlab-"));
            expect([status, Object.fromEntries(properties)]).toEqual([
              200,
              {
                "x-gitlab-blob-id": expect.stringMatching(/^[0-9a-f]{40}$/),
                "x-gitlab-commit-id": expect.stringMatching(/^[0-9a-f]{40}$/),
                "x-gitlab-last-commit-id": expect.stringMatching(/^[0-9a-f]{40}$/),
                "x-gitlab-content-sha256": createHash("sha256").update("plain\n").digest("hex"),
                "x-gitlab-encoding": "base64",
                "x-gitlab-execute-filemode": "false",
                "x-gitlab-file-name": "plain.txt",
                "x-gitlab-file-path": "plain.txt",
                "x-gitlab-ref": "main",
                "x-gitlab-size": "6",
              },
            ]);
          }
      const { headers } = await call(file, "GET", "src/größe\n 漢.txt", "v4");
      const name = Buffer.from(headers.get("x-gitlab-file-name") ?? "", "latin1").toString("utf8");
      expect(name).toBe("größe%0A 漢.txt");
    },
  );

  it("the repository API returns a file as JSON and as raw content", async () => {
    const response = await request(file, { file_path: "src/pay.js" }, "?ref=main");
    expect(response.body).toMatchObject({
      file_name: "pay.js",
      file_path: "src/pay.js",
      size: 4,
      encoding: "base64",
      content: Buffer.from("one\n").toString("base64"),
      ref: "main",
      execute_filemode: false,
    });
    const { commit_id, last_commit_id } = response.body as Record<string, string>;
    expect(last_commit_id).not.toBe(commit_id);
    const rawResponse = await raw.GET(
      new Request(`${ORIGIN}/x?ref=main`, { headers: { "private-token": reader } }),
      { params: Promise.resolve({ id: String(project.id), file_path: "logo.bin" }) },
    );
    expect(new Uint8Array(await rawResponse.arrayBuffer())).toEqual(BINARY);
    expect(rawResponse.headers.get("content-type")).toBe("application/octet-stream");
    expect(rawResponse.headers.get("content-security-policy")).toContain("sandbox");
    expect(rawResponse.headers.get("cache-control")).toContain("no-store");
    for (const file_path of [
      "nothing",
      "src",
      "../README.md",
      "src/../README.md",
      "/README.md",
      ":(top)README.md",
      "*",
    ])
      expect((await request(file, { file_path }, "?ref=main")).status).toBe(404);
  });

  it("the repository API lists commits and the diff of each commit", async () => {
    const listed = await request(commits, {}, "?per_page=1&page=2");
    expect(listed.body).toMatchObject([
      {
        title: "Begin",
        message: "Begin\n\nAll of it.",
        author_name: "Ann",
        author_email: "ann@example.com",
        parent_ids: [],
      },
    ]);
    expect(listed.headers.get("x-total")).toBeNull();
    for (const time of ["2000-01-01", "2000-01-01T00:00:00", "2000-01-01T00:00:00Z"]) {
      expect((await request(commits, {}, `?since=${time}`)).body).toHaveLength(2);
      expect((await request(commits, {}, `?until=${time}`)).body).toEqual([]);
    }
    expect(names((await request(commits, {}, "?ref_name=feature/a&path=src/pay.js")).body, "title")).toEqual([
      "Change paying",
      "Begin",
    ]);
    const commit = await request(oneCommit, { sha: "feature/a" });
    const { id, short_id } = commit.body as Record<string, string>;
    expect((await request(oneCommit, { sha: short_id ?? "" })).body).toEqual(commit.body);
    const diff = await request(commitDiff, { sha: id ?? "" });
    expect(diff.body).toMatchObject([
      { old_path: "README.md", deleted_file: true, a_mode: "100644", b_mode: "0" },
      { new_path: "src/pay.js", new_file: false, diff: "@@ -1 +1,2 @@\n one\n+two\n" },
    ]);
    const first = await request(commitDiff, { sha: "v1" });
    expect(first.body).toMatchObject([{ new_file: true }, { new_file: true, a_mode: "0", b_mode: "100644" }]);
    for (const sha of ["nothing", "0".repeat(40), "-1", "HEAD@{1}", "main..feature/a", "main^", ":/Begin"])
      expect((await request(oneCommit, { sha })).status).toBe(404);
  });

  it("the repository API compares two revisions", async () => {
    const { body } = await request(compare, {}, "?from=main&to=feature%2Fa");
    expect(body).toMatchObject({
      commit: { title: "Change paying" },
      commits: [{ title: "Change paying" }],
      diffs: [{ deleted_file: true }, { new_path: "src/pay.js" }],
      compare_same_ref: false,
    });
    expect((await request(compare, {}, "?from=main&to=main")).body).toMatchObject({
      commits: [],
      diffs: [],
      compare_same_ref: true,
    });
    expect((await request(compare, {}, "?from=main&to=nothing")).status).toBe(404);
  });

  it("the repository API lists branches and tags", async () => {
    expect((await request(branches)).body).toMatchObject([
      { name: "feature/a", default: false, protected: false },
      { name: "main", default: true, protected: true, can_push: true, commit: { title: "Add a picture" } },
    ]);
    expect(names((await request(branches, {}, "?search=FEAT")).body, "name")).toEqual(["feature/a"]);
    expect((await request(branch, { branch: "feature/a" })).body).toMatchObject({ name: "feature/a" });
    expect((await request(branch, { branch: "refs/heads/main" })).status).toBe(404);
    expect((await request(tags)).body).toMatchObject([
      { name: "v1", message: "First", commit: { title: "Begin" } },
    ]);
  });

  it("the repository API creates or deletes a branch only if the user is allowed to push", async () => {
    const create = (json: object, token = owner.token) =>
      callApi(branches.POST, "POST", { token, path: { id: String(project.id) }, json });
    const remove = (name: string, token = owner.token) =>
      callApi(branch.DELETE, "DELETE", { token, path: { id: String(project.id), branch: name } });
    expect(await create({ branch: "new", ref: "v1" })).toMatchObject({
      status: 201,
      body: { commit: { title: "Begin" } },
    });
    expect(await create({ branch: "new", ref: "main" })).toMatchObject({
      status: 400,
      body: { message: "400 Bad request - Branch already exists" },
    });
    const both = await Promise.all([
      create({ branch: "raced", ref: "v1" }),
      create({ branch: "raced", ref: "main" }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 400]);
    for (const name of ["a..b", "-x", "a b", "x.lock", "HEAD", "@{x", "a//b", "/a", "a/.b", "x\u0001"])
      expect((await create({ branch: name, ref: "main" })).status).toBe(400);
    expect((await create({ branch: "y", ref: "nothing" })).status).toBe(400);
    expect((await create({ branch: "y", ref: "main" }, reader)).status).toBe(403);
    expect((await create({ branch: "y", ref: "main" }, guest.token)).status).toBe(403);
    expect((await remove("main")).status).toBe(400);
    expect((await remove("new", guest.token)).status).toBe(403);
    expect((await remove("new")).status).toBe(204);
    expect((await remove("new")).status).toBe(404);
  });

  it("the repository API returns source code only to users who may read the source code", async () => {
    expect((await request(tree, {}, "", guest.token)).status).toBe(403);
    expect((await request(tree, {}, "", stranger.token)).status).toBe(404);
    const anonymous = await callApi(tree.GET, "GET", { path: { id: String(project.id) } });
    expect(anonymous.status).toBe(404);
  });

  it("the project API shows the default branch only to users who may read the source code", async () => {
    const defaultBranchOf = async ({ id }: AuthorizedProject, token?: string) => {
      const { body } = await callApi(oneProject.GET, "GET", { token, path: { id: String(id) } });
      return (body as Record<string, unknown>)["default_branch"];
    };
    expect(await defaultBranchOf(project, owner.token)).toBe("main");
    expect(await defaultBranchOf(project, guest.token)).toBeNull();
    expect(await defaultBranchOf(empty)).toBeNull();
    const changed = await callApi(oneProject.PUT, "PUT", {
      token: owner.token,
      path: { id: String(project.id) },
      json: { description: "What we sell" },
    });
    expect(changed).toMatchObject({ status: 200, body: { default_branch: "main" } });
  });

  it("the repository API returns no commits, branches or folders for an empty repository", async () => {
    const path = { id: String(empty.id) };
    expect(await callApi(commits.GET, "GET", { path })).toMatchObject({ status: 200, body: [] });
    expect(await callApi(branches.GET, "GET", { path })).toMatchObject({ status: 200, body: [] });
    expect((await callApi(tree.GET, "GET", { path })).status).toBe(404);
  });

  it("the repository API returns correct diffs for files with unusual names and contents", async () => {
    const odd = await projectOf(deps, owner.user, "crafted", { visibility: "public" });
    const crafted = "one\rdiff --git a/z b/z\u2028diff --git a/z b/z\u2029@@ -9 +9 @@\n";
    const was = { b: "b\n", k: "k\n", "link-to-be": "a file\n", z: "z\n", "logo.bin": BINARY };
    const quotable = 'q"\\\u0001\t\r\u007f\u2028é';
    await commitAll(deps, odd, [
      { branch: "main", message: "Begin", files: was },
      { branch: "main", message: "Next", files: { b: crafted, z: "zz\n", "logo.bin": Uint8Array.of(0, 9) } },
    ]);
    const call = { cwd: await repositoryOf(deps, odd), path: deps.config.programPath, variables: SIGNED };
    const run = async (args: readonly string[], input: string) =>
      (await runGit(args, { ...call, input })).toString("utf8").trim();
    const target = await run(["hash-object", "-w", "--stdin"], "b");
    const changed = (await run(["ls-tree", "-z", "main"], ""))
      .split("\0")
      .map((line) => (line.endsWith("\tlink-to-be") ? `120000 blob ${target}\tlink-to-be` : line))
      .concat(`100644 blob ${target}\t${quotable}`);
    const folder = await run(["mktree", "-z"], changed.filter(Boolean).join("\0"));
    const sha = await run(["commit-tree", "-p", "main~1", folder], "Crafted");
    const { body } = await callApi(commitDiff.GET, "GET", { path: { id: String(odd.id), sha } });
    const texts = (body as readonly Record<string, string>[]).map((row) => [row["new_path"], row["diff"]]);
    expect(Object.fromEntries(texts)).toEqual({
      b: `@@ -1 +1 @@\n-b\n+${crafted}`,
      "link-to-be": "@@ -1 +0,0 @@\n-a file\n@@ -0,0 +1 @@\n+b\n\\ No newline at end of file\n",
      "logo.bin": "",
      [quotable]: "@@ -0,0 +1 @@\n+b\n\\ No newline at end of file\n",
      z: "@@ -1 +1 @@\n-z\n+zz\n",
    });
    expect(names(body, "too_large")).toEqual([false, false, false, false, false]);
  });

  it("the repository API returns commits whose dates are invalid", async () => {
    const odd = await projectOf(deps, owner.user, "odd", { visibility: "public" });
    const call = { cwd: await repositoryOf(deps, odd), path: deps.config.programPath };
    const path = { id: String(odd.id) };
    const none = (await runGit(["mktree"], call)).toString("utf8").trim();
    for (const [index, [date, shown]] of [
      ["1700000000 +2500", "2023-11-14T22:13:20.000Z"],
      ["1700000000 +9999", "2023-11-14T22:13:20.000Z"],
      ["253402300800 +0000", "9999-12-31T23:59:59.000Z"],
      ["99999999999999999999999 +0000", "9999-12-31T23:59:59.000Z"],
      ["never", "1970-01-01T00:00:00.000Z"],
    ].entries()) {
      const input = `tree ${none}\nauthor A <a@b> ${date}\ncommitter A <a@b> ${date}\n\nOdd\n`;
      const args = ["hash-object", "-t", "commit", "-w", "--stdin", "--literally"];
      const sha = (await runGit(args, { ...call, input })).toString("utf8").trim();
      await runGit(["update-ref", `refs/heads/odd-${index}`, sha], call);
      expect(await callApi(oneCommit.GET, "GET", { path: { ...path, sha } })).toMatchObject({
        status: 200,
        body: { authored_date: shown, committed_date: shown, created_at: shown },
      });
    }
    expect((await callApi(branches.GET, "GET", { path })).body).toHaveLength(5);
  });

  it("the list of tags contains annotated tags that point to other tags, but no tags that point to files", async () => {
    const tagged = await projectOf(deps, owner.user, "tagged", { visibility: "public" });
    await commitAll(deps, tagged, [{ branch: "main", message: "Begin", files: { a: "a" } }]);
    const call = { cwd: await repositoryOf(deps, tagged), path: deps.config.programPath, variables: SIGNED };
    const tag = (name: string, target: string) =>
      runGit(["tag", "-a", "-m", `About ${target}`, name, target], call);
    await tag("one", "main");
    await tag("two", "one");
    await tag("three", "two");
    await tag("file", "main:a");
    await runGit(["tag", "plain", "main"], call);
    await runGit(["tag", "plain-file", "main:a"], call);
    const { body } = await callApi(tags.GET, "GET", { path: { id: String(tagged.id) } });
    const shown = body as readonly Readonly<{ name: string; message: string; commit: object }>[];
    expect(new Map(shown.map(({ name, message }) => [name, message]))).toEqual(
      new Map([
        ["one", "About main"],
        ["two", "About one"],
        ["three", "About two"],
        ["plain", ""],
      ]),
    );
    for (const { commit } of shown) expect(commit).toMatchObject({ title: "Begin" });
  });

  it("the repository API responds with 413 to a request for a tree or a diff that is too large", async () => {
    const large = await projectOf(deps, owner.user, "large", { visibility: "public" });
    const cwd = await repositoryOf(deps, large);
    const call = { cwd, path: deps.config.programPath, variables: SIGNED };
    const run = async (args: readonly string[], input: string) =>
      (await runGit(args, { ...call, input })).toString("utf8").trim();
    const blob = await run(["hash-object", "-w", "--stdin"], "x");
    // Few folders, because Git reads the tree object of each folder separately.
    let folder = await run(["mktree"], entries("100644 blob", blob, 400));
    for (let depth = 0; depth < 3; depth += 1) folder = await run(["mktree"], entries("040000 tree", folder));
    const sha = await run(["commit-tree", folder], "Far too many files");
    await runGit(["update-ref", "refs/heads/main", sha], call);
    const path = { id: String(large.id) };
    const body = { message: "413 Payload Too Large" };
    expect(await callApi(tree.GET, "GET", { path, query: "?recursive=true" })).toMatchObject({
      status: 413,
      body,
    });
    expect(await callApi(commitDiff.GET, "GET", { path: { ...path, sha } })).toMatchObject({
      status: 413,
      body,
    });
    expect((await callApi(tree.GET, "GET", { path })).status).toBe(200);
  });

  it("the repository API responds with 503 when the queue of Git processes is full", async () => {
    const ends: (() => void)[] = [];
    const others = Array.from({ length: 6 + GIT_WAITING_MAX }, () =>
      withGitSlot(() => new Promise<void>((end) => ends.push(end))),
    );
    // Each request for the commits of an author starts a Git process, but requests for the tree are answered
    // from the cache.
    const search = () => request(commits, {}, "?author=Ann");
    const refused = await search();
    expect((await request(tree)).status).toBe(200);
    expect(refused).toMatchObject({ status: 503, body: { message: "503 Service Unavailable" } });
    expect(refused.headers.get("retry-after")).toBe("5");
    while (ends.length > 0) {
      for (const end of ends.splice(0)) end();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(others);
    expect((await search()).status).toBe(200);
  });
});

/** Returns tree entries that name the same object, as input for `git mktree`. */
const entries = (kind: string, hash: string, count = 10): string =>
  Array.from({ length: count }, (_, name) => `${kind} ${hash}\tname-${name}\n`).join("");
