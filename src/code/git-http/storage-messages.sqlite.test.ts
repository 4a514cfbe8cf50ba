import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as tree from "@app/api/v4/projects/[id]/repository/tree/route.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { readiness } from "@/operations/health/readiness.ts";
import { apiUser, callApi, tokenWith } from "@/testing/api.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { type GitClient, openGitClient } from "@/testing/git-server.ts";
import { projectOf } from "@/testing/projects.ts";
import { GIT, gitIsHere } from "@/testing/repository.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";

const deps = await openTestDeps();
const owner = await apiUser(deps, "owner");
const MESSAGE = "No space left on device";

let client: GitClient;
let project: AuthorizedProject;
let copy: string;

const storage = async () => (await readiness(deps, undefined, 60_000)).checks.storage;

beforeAll(async () => {
  if (!gitIsHere) return;
  client = await openGitClient();
  project = await projectOf(deps, owner.user, "open", { visibility: "public" });
  copy = join(client.folder, "copy");
  const url = client.urlOf(project.fullPath, await tokenWith(deps, owner.user, ["write_repository"]));
  await client.ok(["clone", "-q", url, copy]);
  await client.ok(["checkout", "-q", "-b", "main"], copy);
  await client.ok(["commit", "-q", "--allow-empty", "-m", "Begin"], copy);
  await client.ok(["push", "-q", "origin", "main"], copy);
});

describe("text that looks like the error message of a full disk", GIT, () => {
  it(
    conformance(
      "SC-40",
      "the server reports no storage failure when the path in an API request looks like the error message of a full disk",
    ),
    async () => {
      const query = `?path=${encodeURIComponent(MESSAGE)}`;
      expect(await callApi(tree.GET, "GET", { path: { id: String(project.id) }, query })).toMatchObject({
        status: 404,
        body: { message: "404 Tree Not Found" },
      });
      expect(await storage()).toBe("ok");
    },
  );

  it(
    conformance(
      "SC-40",
      "the server reports no storage failure when Git prints a tag name that looks like the error message of a full disk",
    ),
    async () => {
      const head = await client.ok(["rev-parse", "HEAD"], copy);
      const lines = [
        `object ${head}`,
        "type commit",
        `tag ${MESSAGE}`,
        "tagger A <a@b> 1700000000 +0000",
        "",
        "x",
      ];
      const file = join(client.folder, "tag");
      writeFileSync(file, `${lines.join("\n")}\n`);
      const id = await client.ok(["hash-object", "-t", "tag", "-w", "--literally", file], copy);
      const { code, text } = await client.git(["push", "origin", `${id}:refs/tags/odd`], copy);
      expect(text).toContain(MESSAGE);
      expect(text).not.toContain("The disk of the server");
      expect(code).toBe(0);
      expect(await storage()).toBe("ok");
    },
  );
});
