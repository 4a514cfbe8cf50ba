import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import * as configuration from "@app/api/v4/projects/[id]/approvals/route.ts";
import * as approve from "@app/api/v4/projects/[id]/merge_requests/[iid]/approve/route.ts";
import * as list from "@app/api/v4/projects/[id]/merge_requests/route.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { isPushing } from "@/code/pushes/in-flight.ts";
import { repositoryOf } from "@/code/repositories/service.ts";
import { apiUser, callApi, tokenWith } from "@/testing/api.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { type GitClient, openGitClient } from "@/testing/git-server.ts";
import { memberOf, projectOf } from "@/testing/projects.ts";
import { GIT, gitIsHere } from "@/testing/repository.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";

const deps = await openTestDeps();
const owner = await apiUser(deps, "owner");
const dora = await apiUser(deps, "dora");
const token = await tokenWith(deps, dora.user, ["write_repository"]);

let client: GitClient;
let project: AuthorizedProject;
let copy: string;

const inCopy = (...args: readonly string[]) => client.ok(args, copy);
const path = () => ({ id: String(project.id) });

async function commit(name: string): Promise<string> {
  writeFileSync(join(copy, name), `${name}\n`);
  await inCopy("add", ".");
  await inCopy("commit", "-q", "-m", `Write ${name}`);
  return inCopy("rev-parse", "HEAD");
}

const rows = () => deps.db.branchPush.findMany({ where: { projectId: project.id }, orderBy: { id: "asc" } });

beforeAll(async () => {
  if (!gitIsHere) return;
  client = await openGitClient();
  project = await projectOf(deps, owner.user, "shop");
  await memberOf(deps, project, dora.user, "developer");
  copy = join(client.folder, "copy");
  await client.ok(["init", "-q", "-b", "main", copy]);
  await inCopy("remote", "add", "origin", client.urlOf(project.fullPath, token));
  await commit("a.txt");
  const owners = client.urlOf(project.fullPath, await tokenWith(deps, owner.user, ["write_repository"]));
  await inCopy("push", "-q", owners, "main");
});

const packet = (text: string) => `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, "0")}${text}`;
const NOTHING = "0".repeat(40);

/** Sends a push that no Git client would send: one command, push options, and an empty pack. */
async function sendPush(command: string, options: readonly string[] = []): Promise<string> {
  const header = Buffer.from("PACK\0\0\0\x02\0\0\0\0", "latin1");
  const pack = Buffer.concat([header, createHash("sha1").update(header).digest()]);
  const start = `${packet(`${command}\0 report-status push-options\n`)}0000${options.map(packet).join("")}0000`;
  const response = await fetch(`${client.origin}/${project.fullPath}.git/git-receive-pack`, {
    method: "POST",
    headers: {
      authorization: `Basic ${Buffer.from(`x:${token}`).toString("base64")}`,
      "content-type": "application/x-git-receive-pack-request",
    },
    body: Buffer.concat([Buffer.from(start), command.split(" ")[1] === NOTHING ? Buffer.alloc(0) : pack]),
  });
  return response.text();
}

const events = async (): Promise<readonly unknown[]> => {
  const where = { name: "repository.pushed", userId: dora.user.id };
  const rows = await deps.db.auditEvent.findMany({ where, orderBy: { id: "asc" } });
  return rows.flatMap(({ details }) => JSON.parse(details).references);
};

describe("a push over HTTP", GIT, () => {
  it(
    conformance(
      "SC-13",
      "SC-17",
      "the server records the user who pushed, for each pushed branch and in an audit event",
    ),
    async () => {
      const before = await inCopy("rev-parse", "main");
      await inCopy("checkout", "-q", "-b", "topic");
      const head = await commit("b.txt");
      await inCopy("push", "-q", "origin", "topic", "main:side", "topic:refs/tags/v1");
      expect((await rows()).slice(-2)).toMatchObject([
        { branch: "topic", headSha: head, userId: dora.user.id },
        { branch: "side", headSha: before, userId: dora.user.id },
      ]);
      const refused = await client.git(["push", "origin", "topic:main", ":side"], copy);
      expect(refused.text).toContain("protected branches");
      const zero = "0".repeat(40);
      const events = await deps.db.auditEvent.findMany({
        where: { name: "repository.pushed", userId: dora.user.id },
        orderBy: { id: "asc" },
      });
      expect(events.map(({ details }) => JSON.parse(details).references)).toEqual([
        [
          { ref: "refs/heads/topic", before: zero, after: head },
          { ref: "refs/heads/side", before: zero, after: before },
          { ref: "refs/tags/v1", before: zero, after: head },
        ],
        [{ ref: "refs/heads/side", before, after: zero }],
      ]);
      expect((await rows()).at(-1)).toMatchObject({ branch: null, headSha: before });

      const config = { merge_requests_disable_committers_approval: true };
      await callApi(configuration.POST, "POST", { token: owner.token, path: path(), json: config });
      const json = { source_branch: "topic", target_branch: "main", title: "Topic" };
      const opened = await callApi(list.POST, "POST", { token: owner.token, path: path(), json });
      const iid = String((opened.body as { iid: number }).iid);
      const response = await callApi(approve.POST, "POST", { token: dora.token, path: { ...path(), iid } });
      expect(response.status).toBe(403);
    },
  );

  it(
    conformance(
      "SC-13",
      "the server records the user who pushed even if Git cannot start the post-receive hook because of too many push options",
    ),
    async () => {
      const head = await inCopy("rev-parse", "main");
      const options = Array.from({ length: 110 }, () => "x".repeat(65_000));
      expect(await sendPush(`${NOTHING} ${head} refs/heads/large`, options)).toContain("ok refs/heads/large");
      expect((await rows()).at(-1)).toMatchObject({ branch: "large", headSha: head, userId: dora.user.id });
      expect((await events()).at(-1)).toEqual({ ref: "refs/heads/large", before: NOTHING, after: head });
      // The update hook accepts the deletion of this branch, but Git refuses the deletion. The recorded
      // pushes must therefore stay assigned to this branch.
      const other = await inCopy("rev-parse", "topic");
      expect(await sendPush(`${other} ${NOTHING} refs/heads/large`, options)).toContain(
        "ng refs/heads/large",
      );
      expect((await rows()).at(-1)).toMatchObject({ branch: "large" });
    },
  );

  it(
    conformance(
      "SC-13",
      "the server rejects references whose names are longer than 244 bytes, and records all other references of the push",
    ),
    async () => {
      const long = `${"long-name/".repeat(300)}x`;
      const { text } = await client.git(
        ["push", "origin", `main:refs/heads/${long}`, "main:refs/heads/short", `main:refs/tags/${long}`],
        copy,
      );
      expect(text).toContain("at most 244 bytes");
      expect(text).toMatch(/\[new branch\]\s+main -> short/);
      expect((await rows()).at(-1)).toMatchObject({ branch: "short" });
      await inCopy("push", "-q", "origin", `main:refs/heads/${"é".repeat(122)}`);
      const bytes = await client.git(["push", "origin", `main:refs/heads/${"é".repeat(122)}x`], copy);
      expect(bytes.text).toContain("at most 244 bytes");
    },
  );

  it(
    conformance(
      "SC-02",
      "a push never deletes the default branch, even if the old object id in the push consists of zeros",
    ),
    async () => {
      await deps.db.protectedBranch.deleteMany({ where: { projectId: project.id } });
      expect(await sendPush(`${NOTHING} ${NOTHING} refs/heads/main`)).toContain("ng refs/heads/main");
      const folder = await repositoryOf(deps, project);
      expect(await client.ok(["rev-parse", "main"], folder)).toBe(await inCopy("rev-parse", "main"));
    },
  );

  it(
    conformance(
      "SC-13",
      "the server records the user who pushed even if the client closes the connection early",
    ),
    async () => {
      await inCopy("checkout", "-q", "topic");
      const folder = await repositoryOf(deps, project);
      for (let at = 0; at < 8; at += 1) {
        const branch = `cut-${at}`;
        const headSha = await commit(`${branch}.txt`);
        const child = spawn("git", ["push", "-q", "origin", `topic:${branch}`], {
          cwd: copy,
          detached: true,
          stdio: "ignore",
          env: { NODE_ENV: "test", PATH: process.env["PATH"] ?? "", HOME: client.folder },
        });
        const closed = once(child, "close");
        // The test ends the Git client as soon as the branch exists on the server. At that time, the hooks of
        // the push are still running.
        while (!existsSync(join(folder, "refs/heads", branch)) && child.exitCode === null) await pause(1);
        if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
        await closed;
        await expect.poll(() => isPushing(project.id, dora.user.id)).toBe(false);
        expect(existsSync(join(folder, "refs/heads", branch))).toBe(true);
        expect((await rows()).at(-1)).toMatchObject({ branch, headSha, userId: dora.user.id });
      }
    },
  );
});
