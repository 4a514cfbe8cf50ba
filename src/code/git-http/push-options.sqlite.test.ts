import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { offeredBranch } from "@/review/merge-requests/pushed-branch.ts";
import { apiUser, tokenWith } from "@/testing/api.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { type GitClient, openGitClient } from "@/testing/git-server.ts";
import { memberOf, projectOf } from "@/testing/projects.ts";
import { GIT, gitIsHere } from "@/testing/repository.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";

const deps = await openTestDeps();
const owner = await apiUser(deps, "owner");
const developer = await apiUser(deps, "developer");

let client: GitClient;
let project: AuthorizedProject;
let copy: string;
let branch: string;
let count = 0;

const inCopy = (...args: readonly string[]) => client.ok(args, copy);
const push = (...options: readonly string[]) =>
  client.git(["push", ...options.flatMap((option) => ["-o", option]), "origin", branch], copy);
const requests = () =>
  deps.db.mergeRequest.findMany({
    where: { projectId: project.id, sourceBranch: branch },
    orderBy: { id: "asc" },
  });
const urlOf = (iid: number) => `http://localhost:3000/projects/${project.id}/merge_requests/${iid}`;

async function commit(message: string): Promise<void> {
  count += 1;
  writeFileSync(join(copy, `${count}.txt`), message);
  await inCopy("add", ".");
  await inCopy("commit", "-q", "-m", message);
}

beforeAll(async () => {
  if (!gitIsHere) return;
  client = await openGitClient();
  project = await projectOf(deps, owner.user, "shop");
  await memberOf(deps, project, developer.user, "developer");
  copy = join(client.folder, "copy");
  const remote = (token: string) => client.urlOf(project.fullPath, token);
  await client.ok(["clone", "-q", remote(await tokenWith(deps, owner.user, ["write_repository"])), copy]);
  await inCopy("checkout", "-q", "-b", "main");
  await commit("Begin");
  await inCopy("push", "-q", "origin", "main", "main:release");
  const token = await tokenWith(deps, developer.user, ["write_repository"]);
  await inCopy("remote", "set-url", "origin", remote(token));
});

beforeEach(async () => {
  if (!gitIsHere) return;
  branch = `feature/${count}`;
  await inCopy("checkout", "-q", "-b", branch, "main");
  await commit("Add a cart");
});

describe("git push with push options", GIT, () => {
  it(conformance("SC-22", "the server accepts and ignores the push option ci.skip"), async () => {
    const { code, text } = await push("ci.skip");
    expect([code, await requests()]).toEqual([0, []]);
    expect(text).not.toContain("push option");
  });

  it(
    conformance(
      "SC-22",
      "the push option merge_request.create opens a merge request into the default branch, and the push prints its URL",
    ),
    async () => {
      const { code, text } = await push("merge_request.create");
      expect(code).toBe(0);
      const [request, ...more] = await requests();
      expect(more).toEqual([]);
      expect(request).toMatchObject({
        ...{ state: "opened", targetBranch: "main", title: "Add a cart", removesSource: false },
        authorId: developer.user.id,
      });
      expect(text).toContain(`remote: View merge request for ${branch}:`);
      expect(text).toMatch(new RegExp(`remote:\\s+${urlOf(request?.iid ?? 0)}`));
    },
  );

  it(
    conformance(
      "SC-22",
      "push options set the target branch and the title of the new merge request, and whether a merge deletes its source branch",
    ),
    async () => {
      await push(
        "merge_request.create",
        "merge_request.target=release",
        "merge_request.title=A cart = the beginning",
        "merge_request.remove_source_branch",
      );
      expect(await requests()).toMatchObject([
        { targetBranch: "release", title: "A cart = the beginning", removesSource: true },
      ]);
    },
  );

  it(
    conformance(
      "SC-22",
      "a second push changes the open merge request of the branch instead of opening a second merge request",
    ),
    async () => {
      await push("mr.create");
      await commit("Fill the cart");
      const { code, text } = await push("merge_request.create", "merge_request.title=Filled");
      expect(code).toBe(0);
      const mergeRequests = await requests();
      expect(mergeRequests).toMatchObject([{ title: "Filled", headSha: await inCopy("rev-parse", "HEAD") }]);
      expect(text).toContain(urlOf(mergeRequests[0]?.iid ?? 0));
    },
  );

  it(
    conformance(
      "SC-22",
      "the server accepts the push when a push option cannot be applied, and prints the reason",
    ),
    async () => {
      const missing = await push("merge_request.create", "merge_request.target=absent");
      expect(missing.code).toBe(0);
      expect(missing.text).toContain("The target branch does not exist.");
      await commit("More");
      const alone = await push("merge_request.title=Alone");
      expect([alone.code, alone.text]).toEqual([0, expect.stringContaining("-o merge_request.create")]);
      await commit("Even more");
      const long = await push("merge_request.create", `merge_request.title=${"x".repeat(256)}`);
      expect([long.code, long.text]).toEqual([0, expect.stringContaining("255 characters")]);
      await commit("Most");
      const odd = await push("merge_request.label=x", "$(touch /tmp/owned)`id`", 'it\'s "quoted"');
      expect(odd.code).toBe(0);
      expect(odd.text).toContain("The push option merge_request.label is not supported and was ignored.");
      expect(odd.text).toContain("The push option $(touch /tmp/owned)`id` is not supported");
      expect(odd.text).toContain(`The push option it's "quoted" is not supported`);
      expect(await requests()).toEqual([]);
    },
  );

  it("the output of the push never contains a branch name with a control character", async () => {
    for (const options of [[], ["-o", "merge_request.create"]]) {
      const name = `odd\u009b${options.length}`;
      const { code, text } = await client.git(
        ["push", ...options, "origin", `HEAD:refs/heads/${name}`],
        copy,
      );
      const answer = text.split("\n").filter((line) => line.startsWith("remote:"));
      expect([code, answer.join()]).toEqual([0, expect.not.stringMatching(/\u009b|odd/)]);
      expect(text.includes("a name that Gatehouse does not accept")).toBe(options.length > 0);
    }
  });

  it(conformance("SC-22", "the server ignores the push options when the push is refused"), async () => {
    await inCopy("push", "-q", "origin", branch);
    await inCopy("commit", "-q", "--amend", "-m", "Other");
    const { code } = await push("merge_request.create");
    expect([code, await requests()]).toEqual([1, []]);
  });
});

describe("git push without push options", GIT, () => {
  const newUrl = () =>
    `http://localhost:3000/projects/${project.id}/merge_requests/new?source=${encodeURIComponent(branch)}`;

  it("a push prints the URL of the open merge request of the branch or, if there is none, the URL of the form for a new merge request", async () => {
    const first = await push();
    expect(first.text).toContain(`remote: To create a merge request for ${branch}, visit:`);
    expect(first.text).toContain(newUrl());
    await push("merge_request.create");
    await commit("More");
    await push("merge_request.create");
    await commit("Even more");
    const [request] = await requests();
    const second = await push();
    expect(second.text).toContain(`remote: View merge request for ${branch}:`);
    expect(second.text).toContain(urlOf(request?.iid ?? 0));
    expect(second.text).not.toContain(newUrl());
  });

  it("the push prints no URL for the default branch, for a branch without new commits, and for a deleted branch", async () => {
    const same = await client.git(["push", "origin", "main:refs/heads/same"], copy);
    expect([same.code, same.text]).toEqual([0, expect.not.stringContaining("merge request")]);
    await push();
    const deleted = await client.git(["push", "origin", `:${branch}`, ":same"], copy);
    expect([deleted.code, deleted.text]).toEqual([0, expect.not.stringContaining("merge request")]);
  });
});

describe("the project page", GIT, () => {
  const offered = (user = developer.user, role: AuthorizedProject["role"] = "developer") =>
    offeredBranch(deps, { project: { ...project, role }, user });

  it("the project page shows a pushed branch to the user who pushed, until the branch has a merge request", async () => {
    await push();
    expect(await offered()).toEqual({
      branch,
      pushedAt: deps.clock(),
      url: `/projects/${project.id}/merge_requests/new?source=${encodeURIComponent(branch)}`,
    });
    expect(await offered(owner.user)).toBeNull();
    expect(await offered(developer.user, "reporter")).toBeNull();
    await commit("More");
    await push("merge_request.create");
    expect((await offered())?.branch).not.toBe(branch);
  });

  it("the project page shows a pushed branch for two hours after the push", async () => {
    await push();
    deps.advance(2 * 60 * 60);
    expect((await offered())?.branch).toBe(branch);
    deps.advance(1);
    expect(await offered()).toBeNull();
  });
});

describe("a Git LFS request", () => {
  it(
    conformance("SC-22", "the response to a Git LFS request has the status 501 and a message in JSON"),
    async () => {
      client ??= await openGitClient();
      for (const path of [
        "owner/shop.git/info/lfs/objects/batch",
        "a/b.git/info/lfs/locks/verify",
        "a/b/info/lfs/locks",
      ]) {
        const response = await fetch(`${client.origin}/${path}`, { method: "POST", body: "{}" });
        expect([path, response.status]).toEqual([path, 501]);
        expect(response.headers.get("content-type")).toBe("application/vnd.git-lfs+json");
        expect(await response.json()).toMatchObject({
          message: expect.stringMatching(/^Git LFS is not supported/),
        });
      }
    },
  );
});
