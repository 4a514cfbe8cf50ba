import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { beforeEach, describe, expect, it } from "vitest";
import { runGit } from "@/code/git/program.ts";
import { protectBranch } from "@/code/protected-branches/service.ts";
import { isPushing } from "@/code/pushes/in-flight.ts";
import { repositoryOf } from "@/code/repositories/service.ts";
import { blockUserAsAdministrator } from "@/identity/users/administration.ts";
import { resetPassword } from "@/identity/users/service.ts";
import { apiUser, tokenWith } from "@/testing/api.ts";
import { PASSWORD } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { type GitClient, openGitClient } from "@/testing/git-server.ts";
import { memberOf, projectOf } from "@/testing/projects.ts";
import { GIT, gitIsHere } from "@/testing/repository.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";

const deps = await openTestDeps();
const owner = await apiUser(deps, "owner");
await deps.db.user.update({ where: { id: owner.user.id }, data: { admin: true } });

let count = 0;
let client: GitClient;
let maintainer: Awaited<ReturnType<typeof apiUser>>;
let project: AuthorizedProject;
let token: string;
/** The body of a push that creates the branch `topic`. */
let body: Buffer;

beforeEach(async () => {
  if (!gitIsHere) return;
  count += 1;
  client ??= await openGitClient();
  maintainer = await apiUser(deps, `maintainer${count}`);
  project = await projectOf(deps, owner.user, `shop${count}`);
  await memberOf(deps, project, maintainer.user, "maintainer");
  token = await tokenWith(deps, maintainer.user, ["write_repository"]);
  body = await pushBody(join(client.folder, `copy${count}`));
});

/** Returns the request body of a push of one commit, which is longer than the part that is read before Git starts. */
async function pushBody(copy: string): Promise<Buffer> {
  await client.ok(["init", "-q", "--initial-branch=topic", copy]);
  writeFileSync(join(copy, "large"), randomBytes(300_000));
  await client.ok(["add", "."], copy);
  await client.ok(["commit", "-q", "-m", "Begin"], copy);
  const head = await client.ok(["rev-parse", "HEAD"], copy);
  const line = `${"0".repeat(40)} ${head} refs/heads/topic\0 report-status side-band-64k\n`;
  const command = `${(line.length + 4).toString(16).padStart(4, "0")}${line}0000`;
  const pack = await runGit(["pack-objects", "--stdout", "--revs", "-q"], {
    cwd: copy,
    path: deps.config.programPath,
    input: "HEAD\n",
  });
  return Buffer.concat([Buffer.from(command), pack]);
}

/** A part that is longer than the part that is read before Git starts. */
const LONG = 200_000;
/** A part after which the server still waits for the beginning of the body. */
const SHORT = 20_000;

/**
 * Sends the first part of the push and calls `between`. After a long part, Git has started and sent the head of the
 * response. The function sends the rest `seconds` later.
 * @returns the status and the text of the response.
 */
async function pushAround(
  between: () => Promise<unknown>,
  seconds: number,
  first = LONG,
): Promise<Readonly<{ status: number | undefined; text: string }>> {
  const call = httpRequest(`${client.origin}/${project.fullPath}.git/git-receive-pack`, {
    method: "POST",
    headers: {
      authorization: `Basic ${Buffer.from(`${maintainer.user.username}:${token}`).toString("base64")}`,
      "content-type": "application/x-git-receive-pack-request",
      "transfer-encoding": "chunked",
    },
  });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    call.once("response", resolve).once("error", reject);
  });
  call.write(body.subarray(0, first));
  await (first === LONG ? response : once(call, "socket"));
  await between();
  deps.advance(seconds);
  call.end(body.subarray(first));
  const { statusCode: status } = await response;
  return { status, text: await textOf(await response) };
}

const onServer = async (...args: readonly string[]) => {
  const call = { cwd: await repositoryOf(deps, project), path: deps.config.programPath };
  return (await runGit(args, call)).toString("utf8");
};

const branches = () => onServer("for-each-ref", "--format=%(refname)", "refs/heads");

describe("a push whose body arrives slowly", GIT, () => {
  it("a slow push creates the branch if the access of the user has not changed", async () => {
    expect((await pushAround(async () => undefined, 6)).text).toContain("ok refs/heads/topic");
    expect(await branches()).toBe("refs/heads/topic\n");
  });

  it(
    conformance(
      "AT-48",
      "SC-71",
      "a slow push changes no branch after an administrator has blocked the user",
    ),
    async () => {
      const { text } = await pushAround(
        () => blockUserAsAdministrator(deps, owner.user, maintainer.user.id),
        6,
      );
      expect(text).toContain("HTTP Basic: Access denied.");
      expect(text).not.toContain("ok refs/heads/topic");
      await expect.poll(() => isPushing(project.id, maintainer.user.id)).toBe(false);
      expect(await branches()).toBe("");
    },
  );

  it(
    conformance("SC-71", "a push whose beginning arrives slowly gets the response of the refusal"),
    async () => {
      const { status, text } = await pushAround(
        () => blockUserAsAdministrator(deps, owner.user, maintainer.user.id),
        6,
        SHORT,
      );
      expect([status, text]).toEqual([401, expect.stringContaining("HTTP Basic: Access denied.")]);
      expect(await branches()).toBe("");
    },
  );

  it(
    conformance("SC-71", "a slow push with a password changes no branch after the password has changed"),
    async () => {
      token = PASSWORD;
      expect((await pushAround(async () => undefined, 6)).text).toContain("ok refs/heads/topic");
      await onServer("update-ref", "-d", "refs/heads/topic");
      const change = () => resetPassword(deps, maintainer.user, "another long password");
      expect((await pushAround(change, 6)).text).toContain("HTTP Basic: Access denied.");
      expect(await branches()).toBe("");
    },
  );

  it(
    conformance("SC-71", "a slow push changes no branch after the user has lost the membership"),
    async () => {
      const { text } = await pushAround(
        () =>
          deps.db.projectMember.deleteMany({ where: { projectId: project.id, userId: maintainer.user.id } }),
        6,
      );
      expect(text).toContain("could not be found");
      expect(await branches()).toBe("");
    },
  );

  it(
    conformance("SC-71", "a slow push changes no branch after the branch has become protected"),
    async () => {
      const protection = {
        name: "topic",
        pushAccessLevel: 0,
        mergeAccessLevel: 0,
        allowForcePush: false,
      } as const;
      const { text } = await pushAround(() => protectBranch(deps, project, protection, owner.user), 6);
      expect(text).toContain("branch protection has changed during the push");
      expect(await branches()).toBe("");
    },
  );
});
