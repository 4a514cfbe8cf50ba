import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryPlace } from "../../scripts/temporary-place.mjs";
import { afterThisFile } from "./release.ts";

/** Creates an empty folder, which is removed after the test file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(temporaryPlace(), "gatehouse-test-"));
  afterThisFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
