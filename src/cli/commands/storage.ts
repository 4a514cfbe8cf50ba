import { join } from "node:path";
import * as audit from "@/instance/audit/service";
import type { Config } from "@/kernel/config/config";
import { fileStorageOf } from "@/kernel/objects/file-storage";
import { isObjectStorageFailure } from "@/kernel/objects/s3-client";
import { type MigrationProgress, migrateFiles } from "@/registries/packages/migration";
import { defineCommand, required, UsageError } from "./command";

const FAILED_SHOWN = 20;

const storageMigrate = defineCommand({
  name: "storage migrate",
  usage: "--to s3|folder [--verify]",
  about:
    "Copy all package files from DATA_DIR to the bucket S3_BUCKET, or from the bucket to DATA_DIR, while servers run. Files that already exist in the target are skipped. --verify compares the digests of the skipped files.",
  options: { to: "text", verify: "flag" },
  run: async ({ config, open }, { to, verify }) => {
    const kind = required(to, "to");
    if (kind !== "s3" && kind !== "folder") throw new UsageError("--to must be s3 or folder.");
    if (config.fileBucket === null)
      throw new UsageError("Set S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.");
    const { deps } = await open();
    const bucket = fileStorageOf({ ...config, files: config.fileBucket });
    const folder = fileStorageOf({ ...config, files: { kind: "folder" } });
    const [source, target] = kind === "s3" ? [folder, bucket] : [bucket, folder];
    const done = await migrateFiles(deps, source, target, { verify, report: reporter() }).catch((cause) => {
      throw cause instanceof Error && isObjectStorageFailure(cause)
        ? new UsageError(`${cause.message} Run the command again to continue.`)
        : cause;
    });
    if (process.stderr.isTTY) process.stderr.write("\n");
    const { copied, present, failed } = done;
    await audit.record(deps, "storage.migrated", { to: kind, copied, present, failed: failed.length }, {});
    const isComplete = failed.length === 0;
    const lines = [
      `${target.place} has ${copied + present} package files: ${sentenceOf(done)}.`,
      ...failed.slice(0, FAILED_SHOWN).map((name) => `Missing or damaged in ${source.place}: ${name}`),
      ...(isComplete
        ? nextSteps(
            config,
            kind,
            kind === "s3" ? join(config.dataDir, "packages") : `the objects in ${source.place}`,
          )
        : [
            `${failed.length} files were not copied. Restore these files from a backup, and run the command again.`,
          ]),
    ];
    return { text: lines.join("\n"), json: { ...done, to: kind }, failed: !isComplete };
  },
});

/**
 * Returns the steps that remain after all files were copied. The environment of the command shows whether the operator
 * has already changed STORAGE.
 * @param old the copied files, which the operator can delete at the end.
 */
function nextSteps({ files }: Config, to: Config["files"]["kind"], old: string): readonly string[] {
  if (files.kind !== to)
    return [
      "The servers still use the other storage. Next steps:",
      `1. Set STORAGE=${to} in the environment of every server and of the command line.`,
      "2. Restart every server.",
      `3. Run "gatehouse storage migrate --to ${to} --verify" with STORAGE=${to}, to copy the files that were published before the restart.`,
    ];
  return [
    `STORAGE is ${to} in the environment of this command. If a server was restarted with STORAGE=${to} after this command started, run the command again.`,
    `If all servers use STORAGE=${to}, the migration is complete. Run "gatehouse doctor", take a backup, and then delete ${old}.`,
  ];
}

const sentenceOf = ({ copied, copiedBytes, present }: MigrationProgress): string =>
  `${copied} copied (${(copiedBytes / 1_000_000).toFixed(1)} MB), ${present} already present`;

const REPORT_EVERY_MS = 1_000;

/**
 * Returns a function that prints a progress line at most once a second. Each progress line replaces the
 * previous progress line.
 */
function reporter(): (progress: MigrationProgress) => void {
  let reportedAt = 0;
  return (progress) => {
    if (!process.stderr.isTTY || performance.now() - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = performance.now();
    const done = progress.copied + progress.present + progress.failed.length;
    process.stderr.write(`\r${done} of ${progress.total} files: ${sentenceOf(progress)}`);
  };
}

export const commands = [storageMigrate];
