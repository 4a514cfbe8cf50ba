import * as branch from "@app/api/v4/projects/[id]/repository/branches/[branch]/route.ts";
import * as oneCommit from "@app/api/v4/projects/[id]/repository/commits/[sha]/route.ts";
import * as commits from "@app/api/v4/projects/[id]/repository/commits/route.ts";
import * as compare from "@app/api/v4/projects/[id]/repository/compare/route.ts";
import * as raw from "@app/api/v4/projects/[id]/repository/files/[file_path]/raw/route.ts";
import * as oneProject from "@app/api/v4/projects/[id]/route.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { createMergeRequest } from "@/review/merge-requests/service.ts";
import { apiUser, callApi } from "@/testing/api.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { draftOf, projectOf } from "@/testing/projects.ts";
import { commitAll, GIT, gitIsHere } from "@/testing/repository.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";
import { createBranch, defaultBranch, findBranch } from "./reference.ts";
import { findCommit, gitIn } from "./revision.ts";

const deps = await openTestDeps();
const ann = await apiUser(deps, "ann");

let project: AuthorizedProject;
/** The ids of the first and the second commit of `main`. */
let [first, second] = ["", ""];

const git = async (...args: readonly string[]) => (await gitIn(deps, project, args)).toString("utf8").trim();
const find = (name: string | null) => findCommit(deps, project, name);

beforeAll(async () => {
  if (!gitIsHere) return;
  project = await projectOf(deps, ann.user, "shop");
  await commitAll(deps, project, [
    { branch: "main", message: "First", files: { "a.txt": "first\n" } },
    { branch: "main", message: "Second", files: { "a.txt": "second\n" } },
    { branch: "feature", message: "Feature", files: { "b.txt": "feature\n" } },
  ]);
  second = await git("rev-parse", "refs/heads/main");
  first = await git("rev-parse", `${second}~1`);
  await git("update-ref", "refs/tags/main", first);
  await git("update-ref", "refs/tags/feature", first);
});

describe("findCommit", GIT, () => {
  it(conformance("SC-08", "findCommit prefers a branch to a tag with the same name"), async () => {
    expect(await find("main")).toBe(second);
    expect(await find("refs/tags/main")).toBe(first);
    expect(await find("refs/heads/main")).toBe(second);
    expect([await find(null), await find("HEAD")]).toEqual([second, second]);
  });

  it(
    conformance("SC-08", "every endpoint of the API resolves a revision name to the same commit"),
    async () => {
      const request = (route: Parameters<typeof callApi>[0], query = "", more: Record<string, string> = {}) =>
        callApi(route, "GET", { token: ann.token, path: { id: String(project.id), ...more }, query });
      expect((await request(raw.GET, "?ref=main", { file_path: "a.txt" })).body).toBe("second\n");
      expect((await request(commits.GET, "?ref_name=main&per_page=1")).body).toMatchObject([{ id: second }]);
      expect((await request(oneCommit.GET, "", { sha: "main" })).body).toMatchObject({ id: second });
      expect((await request(branch.GET, "", { branch: "main" })).body).toMatchObject({
        name: "main",
        default: true,
        commit: { id: second },
      });
      expect((await request(compare.GET, "?from=main&to=feature")).body).toMatchObject({
        commits: [{ title: "Feature" }],
        diffs: [{ new_path: "b.txt" }],
      });
      expect((await request(oneProject.GET)).body).toMatchObject({ default_branch: "main" });
    },
  );

  it(
    conformance(
      "SC-08",
      "the branch names of a merge request are resolved to branches, even if a tag has the same name",
    ),
    async () => {
      const draft = { sourceBranch: "feature", targetBranch: "main", ...draftOf("Feature") };
      const opened = await createMergeRequest(deps, { project, user: ann.user }, draft);
      expect(opened).toMatchObject({
        headSha: await git("rev-parse", "refs/heads/feature"),
        checkedSha: second,
        changesCount: 1,
      });
    },
  );

  it(
    conformance(
      "SC-08",
      "a revision name is resolved first as a branch, then as a tag, and then as a full or abbreviated commit id",
    ),
    async () => {
      await git("update-ref", "refs/tags/v1", first);
      expect(await find("v1")).toBe(first);
      expect(await find(first)).toBe(first);
      expect(await find(first.toUpperCase())).toBe(first);
      expect(await find(first.slice(0, 10))).toBe(first);
      expect(await find(first.slice(0, 7))).toBe(first);
      expect(await find(first.slice(0, 6))).toBeNull();
      expect(await find("0".repeat(40))).toBeNull();
    },
  );

  it(
    conformance(
      "SC-08",
      "findCommit returns null for revision expressions and partial reference names, although Git resolves them",
    ),
    async () => {
      await git("update-ref", "refs/notes/x", first);
      const expressions = [
        ...["heads/main", "tags/main", "notes/x", "refs/notes/x", "FETCH_HEAD", "@", "main~1", "main^{}"],
        ...[`v1-1-g${first.slice(0, 10)}`, "mai", "-main", "main..feature", ":/First", "main:a.txt"],
      ];
      for (const name of expressions) expect([name, await find(name)]).toEqual([name, null]);
      expect(await findBranch(deps, project, `x-g${first.slice(0, 10)}`)).toBeNull();
    },
  );

  it(
    conformance(
      "SC-08",
      "findCommit returns the commit for a tag that points to a tag of this commit, and null for a tag that points to a file",
    ),
    async () => {
      const tagger = "tagger Ann <ann@example.com> 1795000000 +0000";
      const tagOf = async (object: string, type: string, name: string) => {
        const input = `object ${object}\ntype ${type}\ntag ${name}\n${tagger}\n\nx\n`;
        const id = String(await gitIn(deps, project, ["mktag"], { input })).trim();
        await git("update-ref", `refs/tags/${name}`, id);
        return id;
      };
      await tagOf(await tagOf(first, "commit", "inner"), "tag", "outer");
      await tagOf(await git("rev-parse", `${first}:a.txt`), "blob", "file");
      expect(await find("outer")).toBe(first);
      expect(await find("file")).toBeNull();
    },
  );

  it(
    conformance(
      "SC-01",
      "a full commit id is resolved to the commit, even if an existing branch has the commit id as its name",
    ),
    async () => {
      await git("update-ref", `refs/heads/${first}`, second);
      expect(await find(first)).toBe(first);
      await git("update-ref", "-d", `refs/heads/${first}`);
    },
  );

  it(
    conformance(
      "SC-01",
      "no new branch can have an object id or a full reference name as its name, so revision names are unambiguous",
    ),
    async () => {
      for (const name of ["a".repeat(40), "F".repeat(64), "refs/heads/x"])
        expect(await createBranch(deps, project, { name, revision: "main" })).toBe("bad_name");
    },
  );

  it(
    conformance(
      "SC-08",
      "defaultBranch returns the default branch even if a tag has the same name as the branch",
    ),
    async () => {
      expect(await defaultBranch(deps, project)).toBe("main");
    },
  );
});
