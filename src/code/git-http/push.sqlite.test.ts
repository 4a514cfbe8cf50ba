import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as raw from "@app/api/v4/projects/[id]/repository/files/[file_path]/raw/route.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { runGit } from "@/code/git/program.ts";
import { isPushing } from "@/code/pushes/in-flight.ts";
import { deleteReplaceRefs } from "@/code/repositories/replace-refs.ts";
import { repositoryOf } from "@/code/repositories/service.ts";
import { merge } from "@/review/merge-requests/merge.ts";
import { createMergeRequest } from "@/review/merge-requests/service.ts";
import { apiUser, callApi, tokenWith } from "@/testing/api.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { type GitClient, openGitClient } from "@/testing/git-server.ts";
import { draftOf, memberOf, projectOf } from "@/testing/projects.ts";
import { GIT, gitIsHere } from "@/testing/repository.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";
import { findProject } from "@/workspace/projects/service.ts";

const deps = await openTestDeps();
const owner = await apiUser(deps, "owner");
const maintainer = await apiUser(deps, "maintainer");
const token = await tokenWith(deps, maintainer.user, ["write_repository"]);

const EVE = {
  GIT_AUTHOR_NAME: "Eve",
  GIT_AUTHOR_EMAIL: "eve@example.com",
  GIT_COMMITTER_NAME: "Eve",
  GIT_COMMITTER_EMAIL: "eve@example.com",
};

let client: GitClient;
let project: AuthorizedProject;
let repository: string;
/** The path of the maintainer's working copy. */
let copy: string;

const inCopy = (...args: readonly string[]) => client.ok(args, copy);
const push = (...args: readonly string[]) => client.git(["push", "origin", ...args], copy);
const onServer = async (...args: readonly string[]) =>
  (await runGit(args, { cwd: repository, path: deps.config.programPath })).toString("utf8").trim();

async function commit(name: string, text: string): Promise<string> {
  writeFileSync(join(copy, name), text);
  await inCopy("add", ".");
  await inCopy("commit", "-q", "-m", `Write ${name}`);
  return inCopy("rev-parse", "HEAD");
}

beforeAll(async () => {
  if (!gitIsHere) return;
  client = await openGitClient();
  project = await projectOf(deps, owner.user, "shop");
  await memberOf(deps, project, maintainer.user, "maintainer");
  repository = await repositoryOf(deps, project);
  copy = join(client.folder, "copy");
  await client.ok(["clone", "-q", client.urlOf(project.fullPath, token), copy]);
  await inCopy("checkout", "-q", "-b", "main");
  await commit("a.txt", "genuine\n");
  await inCopy("push", "-q", "origin", "main");
});

describe("git push", GIT, () => {
  it(
    conformance(
      "SC-45",
      "if Git cannot be started, the server responds to a push with the status 500, and does not count the push as in flight",
    ),
    async () => {
      const { config } = deps;
      Object.assign(deps, { config: { ...config, programPath: client.folder } });
      try {
        const response = await fetch(`${client.origin}/${project.fullPath}.git/git-receive-pack`, {
          method: "POST",
          headers: {
            authorization: `Basic ${Buffer.from(`x:${token}`).toString("base64")}`,
            "content-type": "application/x-git-receive-pack-request",
          },
          body: "0000",
        });
        expect([response.status, await response.text()]).toEqual([
          500,
          "Git could not be run on the server.\n",
        ]);
      } finally {
        Object.assign(deps, { config });
      }
      expect(isPushing(project.id, maintainer.user.id)).toBe(false);
    },
  );

  it.each([
    "refs/replace/0123456789012345678901234567890123456789",
    "refs/notes/commits",
    "refs/remotes/origin/main",
    "refs/grafts/x",
  ])(
    conformance("SC-01", "the server rejects a push to %s, which is neither a branch nor a tag"),
    async (ref) => {
      const { code, text } = await push(`HEAD:${ref}`);
      expect(code).toBe(1);
      expect(text).toContain(`Only branches and tags can be pushed. ${ref} is neither.`);
      expect(await onServer("for-each-ref", "--format=%(refname)", ref)).toBe("");
    },
  );

  it(
    conformance(
      "SC-01",
      "the server rejects branches and tags whose names look like an object id or a full reference name",
    ),
    async () => {
      for (const name of ["a".repeat(40), "B".repeat(40), "0".repeat(64), "refs/heads/main", "HEAD"])
        for (const folder of ["refs/heads", "refs/tags"]) {
          const { code, text } = await push(`HEAD:${folder}/${name}`);
          expect({ name, code }).toEqual({ name, code: 1 });
          expect(text).toMatch(/Choose another name/);
        }
      const fine = ["a".repeat(39), `x${"a".repeat(39)}`, "feature/refs/heads", `a/${"b".repeat(40)}`];
      await inCopy("push", "-q", "origin", ...fine.map((name) => `HEAD:refs/heads/${name}`));
      await inCopy("push", "-q", "origin", ...fine.map((name) => `:refs/heads/${name}`));
    },
  );

  it(
    conformance("SC-01", "the server keeps the full history after a push from a shallow clone"),
    async () => {
      await commit("b.txt", "second\n");
      await inCopy("push", "-q", "origin", "main");
      const shallow = join(client.folder, "shallow");
      await client.ok(["clone", "-q", "--depth", "1", client.urlOf(project.fullPath, token), shallow]);
      await client.ok(["checkout", "-q", "--orphan", "cut"], shallow);
      await client.ok(["commit", "-q", "-m", "Cut"], shallow);
      await client.ok(["push", "-q", "origin", "cut"], shallow);
      await client.ok(["push", "-q", "origin", ":cut"], shallow);
      expect(await onServer("rev-list", "--count", "main")).toBe("2");
    },
  );
});

describe("a replacement reference that an earlier version accepted", GIT, () => {
  /**
   * Creates a replacement reference for the head of `main`, so that Git shows another commit instead of the
   * head.
   */
  async function replaceHead(): Promise<string> {
    const head = await onServer("rev-parse", "refs/heads/main");
    const call = { cwd: repository, path: deps.config.programPath, variables: EVE };
    const blob = String(
      await runGit(["hash-object", "-w", "--stdin"], { ...call, input: "foreign\n" }),
    ).trim();
    const input = `100644 blob ${blob}\ta.txt\n`;
    const tree = String(await runGit(["mktree"], { ...call, input })).trim();
    const other = String(await runGit(["commit-tree", tree, "-m", "Foreign"], call)).trim();
    await onServer("update-ref", `refs/replace/${head}`, other);
    return head;
  }

  it(
    conformance(
      "SC-01",
      "the API returns the original file content for a commit that has a replacement reference",
    ),
    async () => {
      const head = await replaceHead();
      const path = { id: String(project.id), file_path: "a.txt" };
      const file = await callApi(raw.GET, "GET", { token: owner.token, path, query: `?ref=${head}` });
      expect([file.status, file.body]).toEqual([200, "genuine\n"]);
    },
  );

  it(
    conformance(
      "SC-01",
      "the server rejects a force push that rewrites the default branch even if a replacement reference exists",
    ),
    async () => {
      const head = await replaceHead();
      // If Git applied the replacement, the new head would look like a descendant of the old head.
      await client.ok(["checkout", "-q", "--orphan", "rewritten"], copy);
      await inCopy("commit", "-q", "-m", "Rewritten");
      const rewritten = await inCopy("rev-parse", "HEAD");
      await inCopy("push", "-q", "origin", "rewritten");
      await onServer("update-ref", `refs/replace/${rewritten}`, await childOf(head));
      const { code, text } = await push("--force", "rewritten:main");
      expect(code).toBe(1);
      expect(text).toContain("You are not allowed to force push");
      expect(await onServer("rev-parse", "refs/heads/main")).toBe(head);
      await inCopy("checkout", "-q", "main");
    },
  );

  it(
    conformance("SC-01", "a merge uses the reviewed commit even if the commit has a replacement reference"),
    async () => {
      await inCopy("checkout", "-q", "-b", "reviewed", "main");
      const reviewed = await commit("reviewed.txt", "reviewed\n");
      await inCopy("push", "-q", "origin", "reviewed");
      const maker = { project: await reload(), user: owner.user };
      const input = { sourceBranch: "reviewed", targetBranch: "main", ...draftOf("Reviewed") };
      const opened = await createMergeRequest(deps, maker, input);
      if (typeof opened === "string" || !("iid" in opened)) throw new Error(JSON.stringify(opened));
      await onServer("update-ref", `refs/replace/${reviewed}`, await childOf(reviewed, "malicious\n"));
      expect(await merge(deps, maker, opened, {})).toMatchObject({ state: "merged" });
      expect(await onServer("show", "refs/heads/main:reviewed.txt")).toBe("reviewed");
      expect(await onServer("ls-tree", "--name-only", "refs/heads/main")).not.toContain("malicious");
    },
  );

  it(
    conformance(
      "SC-01",
      "the server deletes replacement references when it starts, and keeps all other references",
    ),
    async () => {
      await replaceHead();
      await onServer("pack-refs", "--all");
      const before = await onServer("for-each-ref", "--format=%(refname)", "refs/heads");
      await deleteReplaceRefs(deps);
      expect(await onServer("for-each-ref", "--format=%(refname)", "refs/replace")).toBe("");
      expect(await onServer("for-each-ref", "--format=%(refname)", "refs/heads")).toBe(before);
    },
  );

  const reload = async () => {
    const row = await findProject(deps, String(project.id), owner.user);
    if (row === null) throw new Error("The project does not exist.");
    return row;
  };

  async function childOf(parent: string, text = "child\n"): Promise<string> {
    const call = { cwd: repository, path: deps.config.programPath, variables: EVE };
    const blob = String(await runGit(["hash-object", "-w", "--stdin"], { ...call, input: text })).trim();
    const tree = String(await runGit(["mktree"], { ...call, input: `100644 blob ${blob}\tmalicious\n` }));
    return String(await runGit(["commit-tree", tree.trim(), "-p", parent, "-m", "Child"], call)).trim();
  }
});
