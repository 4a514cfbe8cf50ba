import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { provideDeps } from "@/kernel/deps/deps.ts";
import { describeApi } from "@/server/api-document.ts";
import { apiRoutes } from "@/server/generated/api-routes.ts";
import { INVITED_EMAIL, OPEN_IID, WAITING_IID } from "@/testing/access-resources.ts";
import { ACCESS } from "@/testing/access-table.ts";
import { type AccessWorld, accessWorld, hookPathOf } from "@/testing/access-world.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { temporaryFolder } from "@/testing/folder.ts";
import { serveRoutes } from "@/testing/mounted-routes.ts";
import { fakeRegistry } from "@/testing/registry.ts";
import { gitIsHere } from "@/testing/repository.ts";
import { referenceOf } from "./reference.ts";

const registry = await fakeRegistry();
const opened = await openTestDeps();
const deps = { ...opened, config: { ...opened.config, registry: registry.config } };
provideDeps(deps);

const document = await describeApi(deps, "v4");
const entries = referenceOf(document).flatMap((chapter) => chapter.entries);

/** The folder of the file that a sample command uploads. */
const folder = temporaryFolder();
let world: AccessWorld;
let origin: string;
beforeAll(async () => {
  await writeFile(join(folder, "tool.bin"), "tool");
  world = await accessWorld(deps, registry);
  origin = await serveRoutes(
    Object.fromEntries(apiRoutes.map(({ segments, module }) => [`/api/v4/${segments.join("/")}`, module])),
  );
});

class Undo extends Error {}

/**
 * Runs a function in a transaction that is rolled back, so that each sample command starts with the same
 * data.
 */
async function undone<Result>(run: () => Promise<Result>): Promise<Result> {
  let result: { of: Result } | null = null;
  try {
    await deps.transaction(async (within) => {
      provideDeps(within);
      result = { of: await run() };
      throw new Undo();
    });
  } catch (cause) {
    if (!(cause instanceof Undo)) throw cause;
  } finally {
    provideDeps(deps);
  }
  return (result as { of: Result } | null)?.of as Result;
}

const tokenOf = (actor: string): string =>
  world.tokens.find((token) => token.actor === actor && token.kind === "personal" && token.scope === "api")
    ?.value ?? "";

const isApprovalOfUser = (path: string): boolean => /^\/users\/.*\/(approve|reject)$/.test(path);

const targetOf = (path: string, first: string): number =>
  isApprovalOfUser(path) ? world.pendingId : world.targets[first as keyof typeof world.targets];

/** Replaces the placeholders of a printed path with ids of the test instance. */
function pathOf(method: string, path: string): string {
  const resources = world.resources.private;
  const [, first = ""] = path.split("/");
  const inside = path.endsWith("/transfer")
    ? resources.movable.id
    : first === "projects"
      ? resources.project.id
      : first === "groups"
        ? resources.group.id
        : undefined;
  const doomed = method === "DELETE" ? "doomed-0" : "main";
  const names: Readonly<Record<string, string | number>> = {
    ...{ id: inside ?? targetOf(path, first), key_id: resources.keyId },
    user_id: method === "POST" ? world.newcomerId : world.memberId,
    name: path.includes("/protected_branches/") ? "main" : "oauth2_device_grant_flow",
    ...{ error_id: resources.errorId, note_id: resources.noteId, runner_id: world.runners.shared.runner.id },
    ...{ package_id: resources.packageId, file_id: resources.fileId, repository_id: resources.imagesId },
    ...{
      package_name: "tool",
      package_version: "1.0",
      file_name: "tool.bin",
      file_path: "a.txt",
      sha: "main",
    },
    ...{ managed_license_id: "GPL-3.0", policy_id: resources.policyId, rule_id: resources.ruleId },
    impersonation_token_id: world.impersonationTokenId,
    token_id: path.includes("/deploy_tokens")
      ? resources.deployTokenIds[first === "groups" ? "group" : "project"]
      : resources.accessTokens[first === "groups" ? "group" : "project"].id,
    email_id: (first === "users" ? world.targets.users : world.userIds.administrator) * 2 + 1,
    email: INVITED_EMAIL,
    ...{ version_id: resources.versionId, branch: doomed, tag_name: doomed },
    ...hookPathOf(world, resources, first),
    iid: path.endsWith("/cancel_merge_when_pipeline_succeeds") ? WAITING_IID : OPEN_IID,
  };
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(names[name])));
}

/** Runs a printed command with the URL and the resource ids of the test instance, and returns its output. */
async function statusOf({ method, path, command }: (typeof entries)[number]): Promise<string> {
  const printed = /"(http[^"]+)"$/.exec(command)?.[1] ?? "";
  const url = `${origin}/api/v4${pathOf(method, path)}`;
  const given = command.slice(0, command.lastIndexOf(`"${printed}"`));
  const script = `${given.replace("runner_id=1", `runner_id=${world.runners.pooled.runner.id}`)}"${url}"`;
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: "test",
    PATH: process.env["PATH"] ?? "",
    TOKEN: path.endsWith("/access_tokens/self/rotate")
      ? world.resources.private.accessTokens[path.startsWith("/groups/") ? "group" : "project"].value
      : tokenOf(/^\/projects\/.*\/(un)?approve/.test(path) ? "owner" : "administrator"),
    RUNNER_TOKEN: world.runners.pooled.token,
  };
  const flags = `${script} --silent --output - --write-out '\\n%{http_code}'`;
  return new Promise((resolve) => {
    execFile("sh", ["-c", flags], { env, cwd: folder, encoding: "utf8" }, (failure, out, err) =>
      resolve(failure === null ? `${out}` : `${err}`),
    );
  });
}

const isCode = (path: string): boolean => /\/repository\/|\/merge_requests/.test(path);

describe("the sample command of the reference page", () => {
  // The rollback does not restore files on the disk, so commands that only read data run first, and commands
  // that change repositories run last.
  const rank = ({ method, path }: (typeof entries)[number]): number => {
    if (method === "GET") return 0;
    if (!isCode(path) && !path.includes("/packages")) return 3;
    return method === "DELETE" ? 2 : 1;
  };
  const here = entries
    .filter(({ path }) => gitIsHere || !isCode(path))
    .toSorted((left, right) => rank(left) - rank(right));

  it(conformance("SC-27", "the reference page prints a sample command for every endpoint"), () => {
    expect(entries.length).toBe(ACCESS.length);
  });

  it.each(here.map((entry) => [`${entry.method} ${entry.path}`, entry] as const))(
    conformance("SC-27", "the sample command succeeds exactly as it is printed: %s"),
    async (_name, entry) => {
      const statusLine = await undone(() => statusOf(entry));
      if (entry.path.endsWith("/merge")) await world.unmerge();
      expect([statusLine.slice(-3), statusLine.slice(0, 300)]).toEqual([entry.status, expect.any(String)]);
    },
  );
});
