import { createHash } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { runGit } from "@/code/git/program.ts";
import { requestHousekeeping } from "@/code/repositories/housekeeping.ts";
import { createBranch, removeBranch } from "@/code/repositories/reference.ts";
import { repositoryOf } from "@/code/repositories/service.ts";
import { findById } from "@/identity/users/service.ts";
import { readConfig } from "@/kernel/config/config.ts";
import { createPersonalToken } from "@/oauth/personal-access-tokens/service.ts";
import { backUp, restore } from "@/operations/backup/service.ts";
import { publishFile } from "@/registries/packages/service.ts";
import { merge } from "@/review/merge-requests/merge.ts";
import { createMergeRequest } from "@/review/merge-requests/service.ts";
import { openInstance } from "@/server/first-start.ts";
import { openGitClient } from "@/testing/git-server.ts";
import { draftOf } from "@/testing/projects.ts";
import { releaseAll } from "@/testing/release.ts";
import { createProject } from "@/workspace/projects/service.ts";

/**
 * This program writes to the repositories and packages of a new instance in the folder that the first
 * argument names. After each step, the program checks whether a file `moment/STEP` exists in the folder. The
 * system call that checks for the file marks the step in the output of `strace`.
 */
const folder = process.argv[2] ?? "";
const config = readConfig({
  BASE_URL: "http://localhost:3000",
  DATA_DIR: join(folder, "data"),
  GATEHOUSE_SECRET: "the secret of the tests, which protects nothing",
  GATEHOUSE_ROOT_PASSWORD: "correct horse battery staple",
  LOG_LEVEL: "silent",
  PATH: process.env["PATH"],
});
const { deps, close } = await openInstance(config);
const client = await openGitClient();
const step = (name: string) => existsSync(join(folder, "moment", name));

/**
 * Checks that a value has the given key, and returns the value.
 * @throws an Error with the value if the key is missing, for example because the value describes a refusal.
 */
function granted<T, Key extends string>(value: T, key: Key): Extract<T, Readonly<Record<Key, unknown>>> {
  if (typeof value !== "object" || value === null || !(key in value)) throw new Error(JSON.stringify(value));
  return value as Extract<T, Readonly<Record<Key, unknown>>>;
}

const row = await deps.db.user.findFirstOrThrow({ where: { username: "root" } });
const owner = granted(await findById(deps, row.id), "username");
const { project } = granted(
  await createProject(deps, owner, { name: "Shop", readme: true }, null),
  "project",
);
step("readme");

granted(await createBranch(deps, project, { name: "feature/a", revision: "main" }), "name");
step("branch");

await removeBranch(deps, project, "feature/a");
step("branch-removed");

const tokenInput = { name: "t", scopes: ["write_repository"], expiresAt: null };
const token = granted(await createPersonalToken(deps, owner, tokenInput), "value");
const copy = join(client.folder, "copy");
await client.ok(["clone", "-q", client.urlOf(project.fullPath, token.value), copy]);
await client.ok(["checkout", "-q", "-b", "small"], copy);
await client.ok(["commit", "-q", "--allow-empty", "-m", "Small"], copy);
await client.ok(["push", "-q", "origin", "small"], copy);
step("push");

await client.ok(["checkout", "-q", "-b", "large"], copy);
// Git stores a push of at least 100 objects as a pack.
for (let at = 0; at < 120; at += 1) writeFileSync(join(copy, `${at}.txt`), `${at}`);
await client.ok(["add", "."], copy);
await client.ok(["commit", "-q", "-m", "Large"], copy);
await client.ok(["push", "-q", "origin", "large"], copy);
step("push-of-a-pack");

const draft = { sourceBranch: "large", targetBranch: "main", ...draftOf("Large") };
const request = granted(await createMergeRequest(deps, { project, user: owner }, draft), "iid");
step("merge-request");

const merged = granted(await merge(deps, { project, user: owner }, request, {}), "iid");
if (merged.state !== "merged") throw new Error(JSON.stringify(merged));
step("merge");

const repository = await repositoryOf(deps, project);
for (const input of untidyTexts(10))
  await runGit(["hash-object", "-w", "--stdin"], { cwd: repository, path: config.programPath, input });
requestHousekeeping(deps, { projectId: project.id, folder: repository });
while (!existsSync(join(repository, "packed-refs")) || existsSync(join(repository, "gc.pid")))
  await pause(50);
await pause(2_000);
step("packed");

const body = new Blob(["a package"]).stream();
const coordinates = { packageName: "p", version: "1", fileName: "p.txt" };
granted(await publishFile(deps, project, owner, coordinates, body), "file");
step("package");

await backUp(config, join(folder, "backup"), { version: "0", now: deps.clock() });
step("backup");

const target = readConfig({
  BASE_URL: "http://localhost:3000",
  DATA_DIR: join(folder, "restored"),
  GATEHOUSE_SECRET: "the secret of the tests, which protects nothing",
  PATH: process.env["PATH"],
});
await restore(target, join(folder, "backup"));
step("restore");

await close();
await releaseAll();
process.stdout.write(JSON.stringify("done"));

/**
 * Returns texts whose Git objects are all in the folder `17`. From the size of the folder `17`, Git decides
 * whether a repository needs packing.
 */
function untidyTexts(count: number): readonly string[] {
  const texts: string[] = [];
  for (let at = 0; texts.length < count; at += 1) {
    const text = `untidy ${at}`;
    const digest = createHash("sha1").update(`blob ${text.length}\0${text}`).digest("hex");
    if (digest.startsWith("17")) texts.push(text);
  }
  return texts;
}
