import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { keepCommit } from "@/review/merge-requests/branches.ts";
import { apiUser, tokenWith } from "@/testing/api.ts";
import { registeredClient, signedInUser } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { type GitClient, openGitClient } from "@/testing/git-server.ts";
import { projectOf } from "@/testing/projects.ts";
import { GIT, gitIsHere } from "@/testing/repository.ts";
import { grantedTokens } from "@/testing/tokens.ts";
import { createDeployToken } from "@/workspace/deploy-tokens/service.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";
import { resourceOf } from "@/workspace/projects/service.ts";

const deps = await openTestDeps();
const owner = await apiUser(deps, "owner");

let client: GitClient;
let project: AuthorizedProject;
let url: string;
/** The path of the Git working copy from which the tests push. */
let copy: string;
/** The id of a commit that a force push has removed from a branch. */
let removed: string;

const inCopy = (...args: readonly string[]) => client.ok(args, copy);

async function commit(text: string): Promise<string> {
  writeFileSync(join(copy, "a.txt"), text);
  await inCopy("add", ".");
  await inCopy("commit", "-q", "-m", text);
  return inCopy("rev-parse", "HEAD");
}

beforeAll(async () => {
  if (!gitIsHere) return;
  client = await openGitClient();
  project = await projectOf(deps, owner.user, "shop");
  url = client.urlOf(project.fullPath, await tokenWith(deps, owner.user, ["write_repository"]));
  copy = join(client.folder, "copy");
  await client.ok(["clone", "-q", url, copy]);
  await inCopy("checkout", "-q", "-b", "main");
  for (const text of ["one", "two", "three"]) await commit(text);
  await inCopy("push", "-q", "origin", "main");
  await inCopy("checkout", "-q", "-b", "side");
  removed = await commit("a secret");
  await inCopy("push", "-q", "origin", "side");
  await inCopy("reset", "-q", "--hard", "HEAD~1");
  await commit("no secret");
  await inCopy("push", "-q", "--force", "origin", "side");
});

describe("git fetch", GIT, () => {
  it.each(["?a&service=git-upload-pack", "?service=git-upload-pack&a"])(
    conformance("SC-01", "a client that requests references with the query %s gets only visible references"),
    async (query) => {
      await keepCommit(deps, project, removed);
      const { username, password } = new URL(url);
      const response = await fetch(`${client.origin}/${project.fullPath}.git/info/refs${query}`, {
        headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` },
      });
      expect(response.headers.get("content-type")).toBe("application/x-git-upload-pack-advertisement");
      const text = await response.text();
      expect(text).toContain("refs/heads/main");
      expect(text).not.toContain("refs/gatehouse");
    },
  );

  it(
    conformance(
      "MA-03",
      "a deploy token with its username can fetch from its own project, but cannot push, and cannot fetch from another project",
    ),
    async () => {
      const draft = { name: "Deploy", username: "deploy", scopes: ["read_repository"], expiresAt: null };
      const manager = { resource: resourceOf(project), by: owner.user, held: "owner" } as const;
      const created = await createDeployToken(deps, manager, draft);
      if (typeof created === "string" || "problems" in created) throw new Error("The token was not created.");
      const urlWith = (username: string, { fullPath } = project) =>
        client.urlOf(fullPath, created.value).replace(/\/\/[^:]*:/, `//${username}:`);
      const fetched = (from: string) => client.git(["ls-remote", from]);
      expect((await fetched(urlWith("deploy"))).text).toContain("refs/heads/main");
      expect((await fetched(urlWith("other"))).code).not.toBe(0);
      const other = await projectOf(deps, owner.user, "other");
      expect((await fetched(urlWith("deploy", other))).code).not.toBe(0);
      expect(
        (await client.git(["push", urlWith("deploy"), "HEAD:refs/heads/deployed"], copy)).text,
      ).toContain("403");
    },
  );

  it("the server accepts a JWT access token with the username oauth2, and never verifies the token as a password", async () => {
    const ann = await signedInUser(deps, "ann");
    const application = await registeredClient(deps, ann.user, {
      scopes: ["read_repository", "read_user"],
      tokens: { accessTokenFormat: "jwt", idTokenAlgorithm: "ES256" },
    });
    const { fullPath } = await projectOf(deps, ann.user, "private");
    const fetched = async (username: string, scope: string) => {
      const { access } = await grantedTokens(deps, ann, application, { scope });
      const from = client.urlOf(fullPath, access).replace(/\/\/[^:]*:/, `//${username}:`);
      return (await client.git(["ls-remote", from])).code;
    };
    expect(await fetched("oauth2", "read_repository")).toBe(0);
    expect(await fetched("oauth2", "read_user")).not.toBe(0);
    expect(await fetched("ann", "read_repository")).not.toBe(0);
    expect(await deps.db.auditEvent.count({ where: { name: "sign_in.failed" } })).toBe(0);
  });

  it.each(["0", "1", "2"])(
    conformance(
      "SC-16",
      "in Git protocol version %s, the server refuses to send a commit that a force push has removed",
    ),
    async (version) => {
      // The server keeps the commits of merge request versions in hidden references. Clients must not be able
      // to fetch these hidden references.
      await keepCommit(deps, project, removed);
      const folder = join(client.folder, `version-${version}`);
      await client.ok(["clone", "-q", url, folder]);
      const by = ["-c", `protocol.version=${version}`];
      const refused = await client.git([...by, "fetch", "origin", removed], folder);
      expect(refused.code).not.toBe(0);
      expect(refused.text).toMatch(/not reachable from any branch or tag|not our ref/);
      expect((await client.git(["cat-file", "-e", removed], folder)).code).not.toBe(0);
      const reachable = await inCopy("rev-parse", "main~1");
      await client.ok([...by, "fetch", "-q", "origin", reachable], folder);
      await client.ok([...by, "fetch", "-q", "origin", "side"], folder);
    },
  );

  it(
    conformance(
      "SC-16",
      "a client can fetch a single commit by its id, as submodules and shallow checkouts do",
    ),
    async () => {
      const folder = join(client.folder, "single");
      await client.ok(["init", "-q", folder]);
      const id = await inCopy("rev-parse", "main~1");
      await client.ok(["fetch", "-q", "--depth", "1", url, id], folder);
      expect(await client.ok(["rev-list", "--count", "FETCH_HEAD"], folder)).toBe("1");
    },
  );

  it(
    conformance(
      "SC-16",
      "a client with a shallow clone can deepen the clone, and fetch the full history of the branch",
    ),
    async () => {
      const folder = join(client.folder, "shallow");
      await client.ok(["clone", "-q", "--depth", "1", "--branch", "main", url, folder]);
      expect(await client.ok(["rev-list", "--count", "HEAD"], folder)).toBe("1");
      await client.ok(["fetch", "-q", "--deepen", "1"], folder);
      expect(await client.ok(["rev-list", "--count", "HEAD"], folder)).toBe("2");
      await client.ok(["fetch", "-q", "--unshallow"], folder);
      expect(await client.ok(["rev-list", "--count", "HEAD"], folder)).toBe("3");
    },
  );

  it.each(["blob:none", "tree:0", "blob:limit=1"])(
    conformance("SC-16", "a client with a partial clone can fetch the missing objects (%s)"),
    async (filter) => {
      const folder = join(client.folder, `partial-${filter.replace(":", "-")}`);
      await client.ok(["clone", "-q", `--filter=${filter}`, "--branch", "main", url, folder]);
      const missing = await client.ok(["rev-list", "--objects", "--missing=print", "HEAD"], folder);
      expect(missing).toMatch(/^\?/m);
      expect(await client.ok(["log", "-p", "--format="], folder)).toContain("+three");
    },
  );
});
