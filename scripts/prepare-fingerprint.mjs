import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT, systemErrorCode } from "./prepare-step.mjs";

/**
 * Returns a digest of the contents of files. The digest changes when a file is changed, added or removed, but
 * does not depend on the folder of the checkout.
 * @param {readonly string[]} places files and folders; missing files and folders count as empty.
 * @param {(path: string) => boolean} [matters]
 */
export function fingerprint(places, matters = () => true) {
  const hash = createHash("sha256").update(process.versions.modules);
  for (const place of places)
    for (const path of filesBelow(place).filter(matters))
      hash
        .update(`${path}\0`)
        .update(readFileSync(join(ROOT, path)))
        .update("\0");
  return hash.digest("hex");
}

/**
 * @param {string} place
 * @returns {string[]}
 */
export function filesBelow(place) {
  try {
    const entries = readdirSync(join(ROOT, place), { withFileTypes: true });
    return entries
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry) =>
        entry.isDirectory() ? filesBelow(join(place, entry.name)) : [join(place, entry.name)],
      );
  } catch (error) {
    if (systemErrorCode(error) === "ENOTDIR") return [place];
    if (systemErrorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/**
 * A fingerprint file for one preparation step. The file contains the fingerprint of the files that the step
 * read in its last completed run. The fingerprint file is deleted before the step begins, and written when
 * the step is complete. An interrupted step therefore runs again.
 * @param {string} path
 */
export function stamp(path) {
  const file = join(ROOT, path);
  return {
    /** @param {string} value */
    equals: (value) => read(file) === value,
    exists: () => read(file) !== null,
    /**
     * @param {string} value
     * @param {() => Promise<void>} work
     */
    around: async (value, work) => {
      rmSync(file, { force: true });
      await work();
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, value);
    },
  };
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
