import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "@/testing/folder.ts";

/**
 * Runs `migration.mjs check` in a folder that contains a folder `prisma`. The check compares the models with
 * the migrations of both databases, and needs a PostgreSQL server.
 */
const check = (folder: string) =>
  spawnSync(process.execPath, [resolve("scripts", "migration.mjs"), "check"], {
    cwd: folder,
    encoding: "utf8",
  });

describe("the models and the migrations", () => {
  it("the migrations of both databases match the Prisma models", () => {
    expect(check(resolve("."))).toMatchObject({ status: 0, stderr: "" });
  });

  it("the migration check reports a Prisma model that differs from the migrations", () => {
    const folder = temporaryFolder();
    cpSync("prisma", join(folder, "prisma"), { recursive: true, verbatimSymlinks: true });
    appendFileSync(join(folder, "prisma", "models", "instance.prisma"), "\nmodel Stray {\n  id Int @id\n}\n");
    const { status, stderr } = check(folder);
    expect(status).toBe(1);
    expect(stderr).toContain("The sqlite migrations do not match the models.");
    expect(stderr).toContain("The postgresql migrations do not match the models.");
  });
});
