import { resolve } from "node:path";
import { BackupRefused, backUp, type Done, restore } from "@/operations/backup/service";
import packageFile from "../../../package.json" with { type: "json" };
import { defineCommand, type Output, required, UsageError } from "./command";

const backupCommand = defineCommand({
  name: "backup",
  usage: "--to FOLDER",
  about: "Copy the database, repositories, packages and the secret into a new folder, while the server runs.",
  options: { to: "text" },
  run: async ({ config }, { to }) => {
    const folder = resolve(required(to, "to"));
    progress("Copying the database, repositories and packages …");
    const about = { version: packageFile.version, now: new Date() };
    const done = await refusals(() => backUp(config, folder, about));
    const secret = done.secret
      ? "The backup contains the instance secret. Protect it like a password."
      : "The backup does not contain the instance secret. Keep GATEHOUSE_SECRET: you need it to restore the backup.";
    return outcome(`The backup is in ${folder}, with ${counted(done)}.\n${secret}`, folder, done);
  },
});

const restoreCommand = defineCommand({
  name: "restore",
  usage: "--from FOLDER",
  about: "Restore a backup into a new DATA_DIR and an empty database.",
  options: { from: "text" },
  run: async ({ config }, { from }) => {
    const folder = resolve(required(from, "from"));
    progress("Restoring the database, repositories and packages …");
    const done = await refusals(() => restore(config, folder));
    return outcome(`Restored into ${config.dataDir}, with ${counted(done)}.`, folder, done);
  },
});

/** Returns a function that reports progress to the operator. */
function progress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${line}\n`);
}

const counted = ({ repositories }: Done): string =>
  repositories === 1 ? "1 repository" : `${repositories} repositories`;

const outcome = (text: string, folder: string, { repositories, secret, provider }: Done): Output => ({
  text,
  json: { folder, database: provider, repositories, secret },
});

/** Reports a refused backup or restore as invalid input instead of a failure. */
async function refusals<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (cause) {
    throw cause instanceof BackupRefused ? new UsageError(cause.message) : cause;
  }
}

export const commands = [backupCommand, restoreCommand];
