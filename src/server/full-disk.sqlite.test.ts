import { spawnSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import * as packageFile from "@app/api/v4/projects/[id]/packages/generic/[package_name]/[package_version]/[file_name]/route.ts";
import * as branches from "@app/api/v4/projects/[id]/repository/branches/route.ts";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { readiness } from "@/operations/health/readiness.ts";
import { apiUser, callApi, tokenWith } from "@/testing/api.ts";
import { ORIGIN } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { type GitClient, openGitClient } from "@/testing/git-server.ts";
import { needs } from "@/testing/machine.ts";
import { projectOf } from "@/testing/projects.ts";
import { afterThisFile } from "@/testing/release.ts";
import { gitIsHere } from "@/testing/repository.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";

const deps = await openTestDeps();
const { dataDir } = deps.config;
const filler = join(dataDir, "filler");

/** The tests mount a small disk at `DATA_DIR` with the program `mount`, which requires the superuser. */
const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", dataDir]).status === 0;
if (isMounted) afterThisFile(() => spawnSync("umount", ["-l", dataDir]));

const remount = (how: "ro" | "rw") => {
  const { status, stderr } = spawnSync("mount", ["-o", `remount,${how}`, dataDir]);
  if (status !== 0) throw new Error(String(stderr));
};

function fill(): void {
  const file = openSync(filler, "w");
  try {
    for (const size of [65_536, 1_024, 1]) {
      try {
        for (;;) writeSync(file, Buffer.alloc(size));
      } catch {
        // The disk is filled to the last byte.
      }
    }
  } finally {
    closeSync(file);
  }
}

const FULL = "The disk of the server is full. Nothing was stored.";
const UNWRITABLE = "The disk of the server is read-only. Nothing was stored.";

describe("disk failures", needs({ mount: isMounted, git: gitIsHere }), () => {
  let client: GitClient;
  let project: AuthorizedProject;
  let owner: Awaited<ReturnType<typeof apiUser>>;
  let copy: string;

  const inCopy = (...args: readonly string[]) => client.ok(args, copy);
  const check = async () => (await readiness(deps, undefined, 60_000)).checks.storage;

  async function upload(): Promise<readonly [status: number, message: unknown]> {
    const path = { id: String(project.id), package_name: "p", package_version: "1", file_name: "p.bin" };
    const request = new Request(`${ORIGIN}/api/v4/projects/${project.id}/packages/generic/p/1/p.bin`, {
      method: "PUT",
      headers: { "private-token": owner.token },
      body: Buffer.alloc(100_000, 1),
    });
    const response = await packageFile.PUT(request, { params: Promise.resolve(path) });
    return [response.status, ((await response.json()) as { message?: unknown }).message];
  }

  async function push(): Promise<string> {
    writeFileSync(join(copy, "large.txt"), Array.from({ length: 50_000 }, () => Math.random()).join("\n"));
    await inCopy("add", ".");
    await inCopy("commit", "-q", "-m", "More");
    const { code, text } = await client.git(["push", "origin", "main"], copy);
    return `${code}: ${text}`;
  }

  const branch = (name: string) =>
    callApi(branches.POST, "POST", {
      token: owner.token,
      path: { id: String(project.id) },
      json: { branch: name, ref: "main" },
    });

  beforeAll(async () => {
    client = await openGitClient();
    owner = await apiUser(deps, "owner");
    project = await projectOf(deps, owner.user, "shop");
    copy = join(client.folder, "copy");
    await client.ok([
      "clone",
      "-q",
      client.urlOf(project.fullPath, await tokenWith(deps, owner.user, ["api"])),
      copy,
    ]);
    await inCopy("checkout", "-q", "-b", "main");
    await inCopy("commit", "-q", "--allow-empty", "-m", "Begin");
    await inCopy("push", "-q", "origin", "main");
  });

  afterEach(() => {
    remount("rw");
    rmSync(filler, { force: true });
    deps.advance(6);
  });

  it(
    conformance(
      "SC-40",
      "a server with a full disk is not ready, and responds to an upload, a push and a new branch with an error message",
    ),
    async () => {
      expect(await check()).toBe("ok");
      fill();
      expect(await upload()).toEqual([507, `507 Insufficient Storage - ${FULL}`]);
      expect(await check()).toBe("failing");
      expect(await branch("one")).toMatchObject({ status: 507 });
      expect(await push()).toMatch(new RegExp(`^[1-9]\\d*: remote: ${FULL}\\s+fatal: .* error: 507`));
      deps.advance(6);
      expect(await check()).toBe("failing");
    },
  );

  it(
    conformance(
      "SC-40",
      "a server whose disk becomes full before a push reports the full disk in the output of Git",
    ),
    async () => {
      expect(await check()).toBe("ok");
      fill();
      // The result of the last probe of the disk is still cached.
      expect(await push()).toContain(`remote: ${FULL}`);
      expect(await check()).toBe("failing");
    },
  );

  it(
    conformance(
      "SC-40",
      "after a full disk has free space again, a server becomes ready with the next successful write, or after a few seconds",
    ),
    async () => {
      fill();
      expect((await upload())[0]).toBe(507);
      rmSync(filler);
      expect(await check()).toBe("failing");
      expect((await upload())[0]).toBe(201);
      expect(await check()).toBe("ok");
      fill();
      expect((await upload())[0]).toBe(507);
      rmSync(filler);
      deps.advance(6);
      expect(await check()).toBe("ok");
      expect((await branch("two")).status).toBe(201);
      expect(await push()).toMatch(/^0:/);
    },
  );

  it(
    conformance(
      "SC-40",
      "a server with a read-only disk is not ready, responds to writes with an error message, and serves Git fetches",
    ),
    async () => {
      remount("ro");
      expect(await upload()).toEqual([503, `503 Service Unavailable - ${UNWRITABLE}`]);
      expect(await branch("three")).toMatchObject({ status: 503 });
      expect(await push()).toMatch(new RegExp(`^[1-9]\\d*: remote: ${UNWRITABLE}\\s+fatal: .* error: 503`));
      expect((await client.git(["fetch", "origin"], copy)).code).toBe(0);
      expect(await check()).toBe("failing");
      remount("rw");
      deps.advance(6);
      expect(await check()).toBe("ok");
    },
  );

  it(
    conformance(
      "SC-40",
      "after its disk is remounted read-only, a server reports within a second that it is not ready, even if no request writes to the disk",
    ),
    async () => {
      deps.advance(6);
      expect(await check()).toBe("ok");
      remount("ro");
      deps.advance(1);
      expect(await check()).toBe("failing");
    },
  );
});
