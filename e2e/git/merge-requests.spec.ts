import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { notRunnableWithout } from "../../scripts/test-skips.mjs";
import { conformance } from "../../src/testing/conformance.ts";
import { expect, test } from "../fixtures.ts";
import { type Instance, startInstance } from "../instance.ts";
import { type Desk, hasGit, openDesk } from "./git.ts";

test.skip(!hasGit(), notRunnableWithout("git"));

type Json = Readonly<Record<string, unknown>>;
type GitUser = Readonly<{
  clone: string;
  call: (method: string, path: string, body?: Json) => Promise<Readonly<{ status: number; body: Json }>>;
}>;

let instance: Instance;
let desk: Desk;

test.beforeAll(async () => {
  instance = await startInstance();
  desk = openDesk();
});

test.afterAll(async () => {
  desk?.remove();
  await instance?.stop();
});

async function cli(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await instance.cli(...args);
  if (code !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
  return stdout.trim();
}

/** A user with a token and a clone of the project. */
async function user(name: string): Promise<GitUser> {
  const token = await cli("token", "create", "--user", name, "--scopes", "api", "--name", "spec");
  const clone = join(desk.folder, name);
  const { host } = new URL(instance.baseUrl);
  await desk.ok(["clone", "-q", `http://${name}:${token}@${host}/crew/ship.git`, clone]);
  const call: GitUser["call"] = async (method, path, body) => {
    const response = await fetch(`${instance.baseUrl}/api/v5/projects/crew%2Fship${path}`, {
      method,
      headers: { "private-token": token, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return {
      status: response.status,
      body: response.status === 204 ? {} : ((await response.json()) as Json),
    };
  };
  return { clone, call };
}

async function commit(clone: string, name: string, text: string, message: string): Promise<void> {
  writeFileSync(join(clone, name), text);
  await desk.ok(["add", "."], clone);
  await desk.ok(["commit", "-q", "-m", message], clone);
}

test(
  conformance("SC-02", "two users create a conflict in two clones, resolve it, and fetch the merged branch"),
  async () => {
    await cli(
      "user",
      "create",
      "--username",
      "bea",
      "--email",
      "bea@example.com",
      "--password",
      "a long password",
    );
    await cli("project", "create", "--path", "crew/ship", "--owner", "root");
    await cli("member", "add", "--project", "crew/ship", "--user", "bea", "--role", "developer");
    const root = await user("root");
    await desk.ok(["checkout", "-q", "-b", "main"], root.clone);
    await commit(root.clone, "sail.txt", "white\n", "Begin");
    await desk.ok(["push", "-q", "origin", "main"], root.clone);
    const bea = await user("bea");

    await desk.ok(["checkout", "-q", "-b", "red/sail"], bea.clone);
    await commit(bea.clone, "sail.txt", "red\n", "Paint the sail red");
    await desk.ok(["push", "-q", "origin", "red/sail"], bea.clone);
    expect((await root.call("POST", "/approvals", { approvals_before_merge: 1 })).status).toBe(201);
    const draft = { source_branch: "red/sail", target_branch: "main", title: "A red sail" };
    const opened = await bea.call("POST", "/merge_requests", draft);
    expect(opened).toMatchObject({ status: 201, body: { iid: 1, detailed_merge_status: "not_approved" } });
    expect(await bea.call("POST", "/merge_requests", draft)).toMatchObject({
      status: 409,
      body: { message: ["Another open merge request already exists for this source branch: !1"] },
    });

    // Only maintainers may merge into the protected branch until its protection also allows developers.
    const direct = await desk.git(["push", "origin", "red/sail:main"], bea.clone);
    expect(direct.err).toContain("You are not allowed to push code to protected branches on this project.");
    expect((await bea.call("PUT", "/merge_requests/1/merge")).status).toBe(403);
    expect((await root.call("DELETE", "/protected_branches/main")).status).toBe(204);
    const protection = { name: "main", merge_access_level: 30 };
    expect((await root.call("POST", "/protected_branches", protection)).status).toBe(201);

    await commit(root.clone, "sail.txt", "blue\n", "Paint the sail blue");
    await desk.ok(["push", "-q", "origin", "main"], root.clone);
    expect((await bea.call("GET", "/merge_requests/1")).body).toMatchObject({
      detailed_merge_status: "conflict",
      has_conflicts: true,
    });
    expect(await bea.call("PUT", "/merge_requests/1/merge")).toMatchObject({ status: 422 });
    expect((await root.call("POST", "/merge_requests/1/approve")).status).toBe(201);

    await desk.ok(["fetch", "-q"], bea.clone);
    await desk.git(["merge", "-q", "origin/main"], bea.clone);
    await commit(bea.clone, "sail.txt", "purple\n", "Agree on purple");
    await desk.ok(["push", "-q", "origin", "red/sail"], bea.clone);
    const sha = await desk.ok(["rev-parse", "HEAD"], bea.clone);
    // The user `root` approved an earlier head commit of the merge request, and this approval does not apply
    // to the new commit.
    expect((await bea.call("GET", "/merge_requests/1")).body).toMatchObject({
      sha,
      detailed_merge_status: "not_approved",
    });
    expect(await bea.call("PUT", "/merge_requests/1/merge", { sha })).toMatchObject({ status: 405 });
    expect((await bea.call("POST", "/merge_requests/1/approve")).status).toBe(403);
    expect((await root.call("POST", "/merge_requests/1/approve", { sha })).body).toMatchObject({
      approved: true,
      approved_by: [{ user: { username: "root" } }],
    });
    const done = await bea.call("PUT", "/merge_requests/1/merge", { sha, should_remove_source_branch: true });
    expect(done).toMatchObject({ status: 200, body: { state: "merged", merge_user: { username: "bea" } } });

    await desk.ok(["pull", "-q", "--prune"], root.clone);
    expect(await desk.ok(["rev-parse", "HEAD"], root.clone)).toBe(done.body["merge_commit_sha"]);
    expect(await desk.ok(["log", "-1", "--format=%P"], root.clone)).toContain(sha);
    expect(await desk.ok(["show", "HEAD:sail.txt"], root.clone)).toBe("purple");
    expect(await desk.ok(["branch", "-r"], root.clone)).not.toContain("red/sail");
    expect((await root.call("GET", "/merge_requests/1/versions")).body).toHaveLength(2);
    // Clients cannot fetch the references that protect the commits of merge request versions from garbage
    // collection.
    expect(await desk.ok(["ls-remote", "origin"], root.clone)).not.toContain("refs/gatehouse");
  },
);
