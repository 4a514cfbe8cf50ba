import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { apiUser } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { projectOf } from "@/testing/projects.ts";
import { commitAll, GIT } from "@/testing/repository.ts";
import { createBranch } from "./reference.ts";
import { repositoryOf } from "./service.ts";

const deps = await openTestDeps();
const ann = await apiUser(deps, "ann");

it(
  "a request waits for the lock of a reference that another request holds for longer than 0.1 seconds",
  GIT,
  async () => {
    const project = await projectOf(deps, ann.user, "shop");
    await commitAll(deps, project, [{ branch: "main", message: "One", files: { "a.txt": "a" } }]);
    const lock = join(await repositoryOf(deps, project), "refs", "heads", "next.lock");
    writeFileSync(lock, "");
    setTimeout(() => rmSync(lock), 500);
    expect(await createBranch(deps, project, { name: "next", revision: "main" })).toMatchObject({
      name: "next",
    });
  },
);
