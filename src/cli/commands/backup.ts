import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import * as audit from "@/instance/audit/service";
import type { Config } from "@/kernel/config/config";
import { pendingMigrations } from "@/kernel/db/migrate";
import { reachDatabase } from "@/kernel/db/open";
import type { Deps } from "@/kernel/deps/deps";
import { isObjectStorageFailure } from "@/kernel/objects/s3-client";
import {
  createBackup,
  fetchBackup,
  openPlace,
  type PlacedBackup,
  removeOlderBackups,
} from "@/operations/backup/places";
import { BackupRefused } from "@/operations/backup/refusal";
import { type Done, restore } from "@/operations/backup/service";
import { verifyBackup } from "@/operations/backup/verification";
import { requireInstance } from "@/server/first-start";
import packageFile from "../../../package.json" with { type: "json" };
import { type CommandEnvironment, defineCommand, type Output, required, UsageError } from "./command";
import { diagnose } from "./doctor";

const backupCommand = defineCommand({
  name: "backup",
  usage: "--to FOLDER|s3://BUCKET/PREFIX [--since FOLDER] [--keep NUMBER] [--verify]",
  about:
    "Copy the database, the repositories, the packages and the instance secret, while the server runs. --since is the folder of the previous backup: unchanged files become links to the files in this folder. A backup to object storage sends only changed files. --keep deletes older backups from the object storage. --verify restores the backup into a temporary folder, and checks the restored instance.",
  options: { to: "text", since: "text", keep: "text", verify: "flag" },
  run: async (environment, { to, since, keep, verify }) =>
    refusals(async () => {
      const { config, workingFolder } = environment;
      const place = openPlace(config, required(to, "to"), workingFolder);
      const isFolder = "folder" in place;
      if (isFolder && keep !== undefined)
        throw new BackupRefused(
          "--keep is only for backups in object storage. Delete old backup folders yourself.",
        );
      if (!isFolder && since !== undefined)
        throw new BackupRefused(
          "--since is only for backups in a folder. In object storage, every backup is incremental.",
        );
      const backupsToKeep = keptCount(keep);
      await reachDatabase(config.database, {});
      await requireInstance(config);
      progress("Copying the database, repositories and packages …");
      const about = { version: packageFile.version, now: new Date() };
      const previous = since === undefined ? null : resolve(workingFolder, since);
      const done = await createBackup(config, place, about, previous);
      const target = isFolder ? place.folder : place.url;
      await recordEvent(environment, (deps) =>
        audit.record(deps, "backup.created", { to: target, secret: done.secret }, {}),
      );
      if (verify) {
        progress("Restoring the backup into a temporary folder …");
        await verifyBackup(config, (folder) => fetchBackup(place, null, folder), problemsOf);
      }
      // Older backups are deleted only after the new backup was verified.
      const removedBackups = backupsToKeep === null ? 0 : await removeOlderBackups(place, backupsToKeep);
      if (removedBackups > 0)
        await recordEvent(environment, (deps) =>
          audit.record(deps, "backup.removed", { from: target, backups: removedBackups }, {}),
        );
      return backupOutput(target, done, { removedBackups, verified: verify });
    }),
});

/**
 * Records an audit event in the database of the instance. A backup or a restore that is complete does not
 * fail if the audit event cannot be recorded: the reason is printed on standard error instead. A database
 * with pending migrations is not migrated, so that a newer version can create a backup before an upgrade.
 */
async function recordEvent(
  { config, open }: CommandEnvironment,
  record: (deps: Deps) => Promise<void>,
): Promise<void> {
  try {
    const pending = await pendingMigrations(config.database);
    if (pending.length > 0) throw new Error("The database has pending migrations.");
    await record((await open()).deps);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    process.stderr.write(`The audit event was not recorded: ${reason}\n`);
  }
}

function keptCount(keep: string | undefined): number | null {
  if (keep === undefined) return null;
  if (!/^[1-9]\d{0,4}$/.test(keep)) throw new BackupRefused("--keep must be a number from 1 to 99999.");
  return Number(keep);
}

/** Checks a restored instance. @returns the problems that the check found. */
async function problemsOf(restored: Config): Promise<readonly string[]> {
  const findings = await diagnose(restored);
  return findings.filter(({ ok }) => !ok).map(({ check, detail }) => `${check}: ${detail}`);
}

function backupOutput(
  place: string,
  done: PlacedBackup,
  { removedBackups, verified }: Readonly<{ removedBackups: number; verified: boolean }>,
): Output {
  const { repositories, secret, provider, sentBytes } = done;
  const lines = [
    `The backup is in ${place}, with ${counted(done)}.`,
    ...(sentBytes === null
      ? []
      : [`${(sentBytes / 1_000_000).toFixed(1)} MB were sent to the object storage.`]),
    ...(removedBackups === 0 ? [] : [`${removedBackups} older backups were deleted.`]),
    ...(verified
      ? [
          "The backup was restored into a temporary folder, and the check of the restored instance found no problems.",
        ]
      : []),
    secret
      ? "The backup contains the instance secret. Protect the backup like a password."
      : "The backup does not contain the instance secret. Keep GATEHOUSE_SECRET: you need this secret to restore the backup.",
  ];
  return {
    text: lines.join("\n"),
    json: { folder: place, database: provider, repositories, secret, sentBytes, removedBackups, verified },
  };
}

const restoreCommand = defineCommand({
  name: "restore",
  usage: "--from FOLDER|s3://BUCKET/PREFIX [--name NAME]",
  about:
    "Restore a backup into a new DATA_DIR and an empty database. --name is the name of a backup in the object storage (default: the newest backup).",
  options: { from: "text", name: "text" },
  run: async (environment, { from, name }) =>
    refusals(async () => {
      const { config, workingFolder } = environment;
      const place = openPlace(config, required(from, "from"), workingFolder);
      if ("folder" in place && name !== undefined)
        throw new BackupRefused(
          "--name selects a backup in object storage. Name the folder of the backup with --from.",
        );
      progress("Restoring the database, repositories and packages …");
      const scratch = await mkdtemp(join(tmpdir(), "gatehouse-restore-"));
      try {
        const folder = await fetchBackup(place, name ?? null, join(scratch, "backup"));
        const done = await restore(config, folder);
        const { repositories, secret, provider, missingPackageFiles, createdAt, version } = done;
        const source = "folder" in place ? place.folder : place.url;
        await recordEvent(environment, (deps) =>
          audit.record(deps, "backup.restored", { from: source, createdAt, version }, {}),
        );
        const lines = [
          `Restored into ${config.dataDir}, with ${counted(done)}.`,
          ...(missingPackageFiles === 0
            ? []
            : [
                `Package files that the backup does not contain: ${missingPackageFiles}. The packages do not list these files any longer.`,
              ]),
        ];
        return {
          text: lines.join("\n"),
          json: {
            folder: source,
            database: provider,
            repositories,
            missingPackageFiles,
            secret,
          },
        };
      } finally {
        await rm(scratch, { recursive: true, force: true });
      }
    }),
});

/** Reports progress to the operator. */
function progress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${line}\n`);
}

const counted = ({ repositories }: Done): string =>
  repositories === 1 ? "1 repository" : `${repositories} repositories`;

/**
 * Converts the error of a refused backup or restore to an error about invalid input, so that the exit status
 * is 2.
 */
async function refusals<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (cause) {
    throw cause instanceof Error && (cause instanceof BackupRefused || isObjectStorageFailure(cause))
      ? new UsageError(cause.message)
      : cause;
  }
}

export const commands = [backupCommand, restoreCommand];
