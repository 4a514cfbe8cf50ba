import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterThisFile } from "./release.ts";

/** A new empty folder, removed after this test file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-test-"));
  afterThisFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
