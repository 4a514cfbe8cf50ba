import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryPlace } from "../../scripts/temporary-place.mjs";
import { afterThisFile } from "./release.ts";

/** A new empty folder, removed after this test file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(temporaryPlace(), "gatehouse-test-"));
  afterThisFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
