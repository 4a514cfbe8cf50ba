import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { notRunnableWithout } from "../../scripts/test-skips.mjs";
import { startInstance } from "../instance.ts";
import { hasGit } from "./git.ts";

/** Returns the ids of the child processes of a process. */
const childrenOf = (processId: number): readonly string[] =>
  readdirSync("/proc").filter((id) => {
    try {
      return (
        readFileSync(`/proc/${id}/stat`, "latin1").split(") ").at(-1)?.split(" ")[1] === String(processId)
      );
    } catch {
      return false;
    }
  });

const isRunning = (id: string): boolean => readdirSync("/proc").includes(id);

test("a server that stops or is killed leaves no Git process", async () => {
  test.skip(!hasGit(), notRunnableWithout("git"));
  test.skip(process.platform !== "linux", notRunnableWithout("proc"));
  const instance = await startInstance();
  const { stdout } = await instance.cli(
    "token",
    "create",
    "--user=root",
    "--scopes=api",
    "--name=git",
    "--json",
  );
  const headers = { "private-token": (JSON.parse(stdout) as { token: string }).token };
  const projects = `${instance.baseUrl}/api/v4/projects`;
  const body = new URLSearchParams({ name: "shop", initialize_with_readme: "true" });
  const { id } = (await (await fetch(projects, { method: "POST", body, headers })).json()) as { id: number };
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    const commit = await fetch(`${projects}/${id}/repository/commits/main`, { headers });
    expect(await commit.json()).toMatchObject({ title: "Initial commit" });
    const children = childrenOf(instance.processId());
    expect(children).toHaveLength(1);
    expect(await instance.kill(signal)).toBe(signal === "SIGTERM" ? 0 : null);
    await expect.poll(() => children.filter(isRunning)).toEqual([]);
    await instance.restart();
  }
  await instance.stop();
});
