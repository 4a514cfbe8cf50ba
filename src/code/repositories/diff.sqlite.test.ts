import { expect, it } from "vitest";
import { runGit } from "@/code/git/program.ts";
import { apiUser } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { projectOf } from "@/testing/projects.ts";
import { commitAll, GIT } from "@/testing/repository.ts";
import { readCommit } from "./commit.ts";
import { readDiff } from "./diff.ts";
import { listNames } from "./reference.ts";
import { repositoryOf } from "./service.ts";

const deps = await openTestDeps();
const ann = await apiUser(deps, "ann");
it(
  "readDiff returns the correct patch of each file, even if lines of a file look like patch headers, or a file becomes a symbolic link",
  GIT,
  async () => {
    const project = await projectOf(deps, ann.user, "differences");
    const lure = "x\rdiff --git a/q b/q\n\u2028diff --git a/r b/r\n";
    await commitAll(deps, project, [
      { branch: "main", message: "Begin", files: { a: "one\n", b: "two\n", c: "three\n" } },
    ]);
    const stream = `commit refs/heads/main
committer Ann <ann@example.com> 1795000100 +0000
data 6
Change
from refs/heads/main^0
M 100644 inline a
data ${Buffer.byteLength(lure)}
${lure}
M 120000 inline b
data 1
c
M 100644 inline c
data 5
last

`;
    const call = { cwd: await repositoryOf(deps, project), path: deps.config.programPath };
    await runGit(["fast-import", "--quiet"], { ...call, input: stream });
    const { files, overflow } = await readDiff(deps, project, { from: "main~1", to: "main" });
    expect(overflow).toBe(false);
    expect(files.map(({ newPath }) => newPath)).toEqual(["a", "b", "c"]);
    const [a, b, c] = files.map(({ text }) => text);
    expect(a).toContain("+x\rdiff --git a/q b/q\n+\u2028diff --git a/r b/r\n");
    expect(b).toBe("@@ -1 +0,0 @@\n-two\n@@ -0,0 +1 @@\n+c\n\\ No newline at end of file\n");
    expect(c).toBe("@@ -1 +1 @@\n-three\n+last\n");
  },
);

it(
  "readCommit returns the end of the year 9999 as the date of a commit whose date is after the year 9999",
  GIT,
  async () => {
    const project = await projectOf(deps, ann.user, "times");
    const stream = `commit refs/heads/main
committer Ann <ann@example.com> 999999999999 +0000
data 5
Later
`;
    const call = { cwd: await repositoryOf(deps, project), path: deps.config.programPath };
    await runGit(["fast-import", "--quiet"], { ...call, input: stream });
    const commit = await readCommit(deps, project, null);
    expect(commit?.author.at.toISOString()).toBe("9999-12-31T23:59:59.000Z");
    expect(await listNames(deps, project)).toEqual({ branches: ["main"], tags: [] });
  },
);
