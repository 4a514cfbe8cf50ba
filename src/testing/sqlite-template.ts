import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { migrate } from "@/kernel/db/migrate.ts";
import { temporaryPlace } from "../../scripts/temporary-place.mjs";

/** Migrates a template SQLite database, which each test file copies. */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(temporaryPlace(), "gatehouse-template-"));
  const file = join(folder, "gatehouse.db");
  await migrate({ provider: "sqlite", file });
  project.provide("sqliteTemplate", file);
  return () => rmSync(folder, { recursive: true, force: true });
}
