import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "@/kernel/config/config";
import { ScratchDatabaseRefused, withScratchDatabase } from "@/kernel/db/scratch-postgresql";
import { damagedFiles } from "@/registries/packages/backup";
import { BackupRefused } from "./refusal";
import { restore } from "./service";

/**
 * Restores a backup into a temporary folder and checks the restored instance. With PostgreSQL, the database
 * is restored into a temporary database on the same server. The folder and the database are deleted
 * afterwards.
 * @param open writes the files of the backup into an empty folder, and returns the folder with the files.
 * @param check checks the restored instance, and returns the problems.
 * @throws BackupRefused if the backup cannot be restored, or if the restored instance has a problem. The
 * message contains the problems.
 */
export async function verifyBackup(
  config: Config,
  open: (folder: string) => Promise<string>,
  check: (restored: Config) => Promise<readonly string[]>,
): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), "gatehouse-verification-"));
  try {
    await withRestoredConfig(config, join(scratch, "data"), async (restored) => {
      const { missingPackageFiles } = await restore(restored, await open(join(scratch, "backup")));
      const damaged = await damagedFiles(restored);
      const problems = [
        ...(missingPackageFiles === 0 ? [] : [`Package files that are missing: ${missingPackageFiles}.`]),
        ...damaged.map((path) => `The package file ${path} is damaged.`),
        ...(await check(restored)),
      ];
      if (problems.length > 0)
        throw new BackupRefused(`The backup was restored, but is not valid:\n${problems.join("\n")}`);
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function withRestoredConfig(
  config: Config,
  dataDir: string,
  run: (restored: Config) => Promise<void>,
): Promise<void> {
  // The verification sends no e-mail, and stores no package files in the bucket of the instance.
  const common = { ...config, dataDir, mail: null, files: { kind: "folder" as const }, fileBucket: null };
  if (config.database.provider === "sqlite")
    return run({ ...common, database: { provider: "sqlite", file: join(dataDir, "gatehouse.db") } });
  const name = `gatehouse_verification_${randomBytes(6).toString("hex")}`;
  try {
    return await withScratchDatabase(config.database.url, name, (url) =>
      run({ ...common, database: { provider: "postgresql", url } }),
    );
  } catch (cause) {
    throw cause instanceof ScratchDatabaseRefused ? new BackupRefused(cause.message) : cause;
  }
}
