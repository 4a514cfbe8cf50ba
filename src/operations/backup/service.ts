import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runGit } from "@/code/git/program";
import { repositoriesFolder } from "@/code/repositories/service";
import type { Config, DatabaseConfig } from "@/kernel/config/config";
import { copyPostgresqlIn, copyPostgresqlOut } from "@/kernel/db/copy-postgresql";
import { copySqliteIn, copySqliteOut } from "@/kernel/db/copy-sqlite";
import { migrate } from "@/kernel/db/migrate";
import { openDatabase } from "@/kernel/db/open";
import { createFolderDurably, replaceDurably, sync, syncTree } from "@/kernel/disk/durable-file";
import { fileStorageOf } from "@/kernel/objects/file-storage";
import { backUpFiles, isStorageEmpty, restoreFiles } from "@/registries/packages/backup";
import { allProjectIds } from "@/workspace/projects/service";
import { NO_PREVIOUS_BACKUP, type PreviousBackup } from "./previous-backup";
import { BackupRefused } from "./refusal";

/** The manifest of a backup, which describes its content. */
type Manifest = Readonly<{
  format: 1;
  product: "gatehouse";
  version: string;
  provider: DatabaseConfig["provider"];
  createdAt: string;
  repositories: readonly string[];
  /**
   * The last migration of the database; missing for SQLite, because a copied SQLite file contains the list of
   * its migrations.
   */
  migration?: string | undefined;
  /**
   * Whether the backup contains the instance secret. A backup does not contain the instance secret if an
   * environment variable defines the secret.
   */
  secret: boolean;
}>;

const MANIFEST = "backup.json";
/** The files with the instance secret. The second file exists only during a rotation of the secret. */
const SECRETS = ["secret", "secret.next"] as const;
const DATABASES = { sqlite: "database.db", postgresql: "database.jsonl" } as const;

export type BackupOptions = Readonly<{ previous?: PreviousBackup; links?: boolean }>;

export type Done = Readonly<{ repositories: number; secret: boolean; provider: DatabaseConfig["provider"] }>;

/**
 * Copies an instance into a new folder while the server runs. The database is copied before the repositories.
 * The copy of the database is a consistent snapshot. Commits are never removed from a repository, so the
 * copied repositories contain every commit to which the copied database refers. Package files can be added
 * and removed, so they are copied both before and after the database.
 * @param options.previous the previous backup, whose unchanged files are reused.
 * @param options.links whether to link package files instead of copying them, for a folder that is deleted
 * soon.
 * @throws BackupRefused if the folder is not empty.
 */
export async function backUp(
  config: Config,
  folder: string,
  { version, now }: Readonly<{ version: string; now: Date }>,
  { previous = NO_PREVIOUS_BACKUP, links = false }: BackupOptions = {},
): Promise<Done> {
  await emptyFolder(folder);
  const files = { reuse: (path: string) => previous.reuse(path, folder), links };
  const secrets = await secretsOf(config);
  await backUpFiles(config, folder, files);
  const { provider } = config.database;
  const database = join(folder, DATABASES[provider]);
  let migration: string | undefined;
  if (config.database.provider === "sqlite") copySqliteOut(config.database.file, database);
  else migration = await copyPostgresqlOut(config.database.url, database);
  await chmod(database, 0o600);
  await backUpFiles(config, folder, files);
  const repositories = await bundleAll(config, folder, previous);
  // The instance secrets are read again, because a rotation of the secret may have ended while the database
  // was copied.
  for (const secret of await secretsOf(config)) secrets.add(secret);
  for (const [index, secret] of [...secrets].slice(0, SECRETS.length).entries())
    await writeFile(join(folder, SECRETS[index] ?? ""), secret, { mode: 0o600 });
  const manifest: Manifest = {
    format: 1,
    product: "gatehouse",
    version,
    provider,
    createdAt: now.toISOString(),
    repositories,
    migration,
    secret: secrets.size > 0,
  };
  await syncTree(folder);
  // The manifest is written last. A folder without a manifest is not a complete backup.
  replaceDurably(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  return { repositories: repositories.length, secret: secrets.size > 0, provider };
}

/**
 * Returns the contents of the files with the instance secret. The result is empty if an environment variable
 * defines the secret.
 */
async function secretsOf(config: Config): Promise<Set<string>> {
  const files = config.secret === null ? SECRETS.map((name) => join(config.dataDir, name)) : [];
  return new Set(
    await Promise.all(files.filter((file) => existsSync(file)).map((file) => readFile(file, "utf8"))),
  );
}

async function emptyFolder(folder: string): Promise<void> {
  createFolderDurably(folder);
  if ((await readdir(folder)).length > 0)
    throw new BackupRefused(`${folder} is not empty. Name a new folder.`);
}

/**
 * Writes a bundle of each repository, and records the default branch of the repository. A bundle is
 * consistent even if it is created during a push. If the references of a repository have not changed, its
 * previous bundle is reused.
 */
async function bundleAll(
  config: Config,
  folder: string,
  previous: PreviousBackup,
): Promise<readonly string[]> {
  const from = repositoriesFolder(config);
  const names = existsSync(from)
    ? (await readdir(from)).filter((name) => /^\d+\.git$/.test(name)).toSorted()
    : [];
  await mkdir(join(folder, "repositories"), { mode: 0o700 });
  const bundled: string[] = [];
  for (const name of names) {
    // The project may have been removed after the database was copied.
    if (!existsSync(join(from, name))) continue;
    const call = { cwd: join(from, name), path: config.programPath, timeoutMs: HOUR_MS };
    const to = join(folder, "repositories", name.replace(/\.git$/, ""));
    const head = (await runGit(["symbolic-ref", "HEAD"], call)).toString("utf8");
    await writeFile(`${to}.head`, head, { mode: 0o600 });
    const refs = (await runGit(["for-each-ref", "--format=%(objectname) %(refname)"], call)).toString("utf8");
    await writeFile(`${to}.refs`, refs, { mode: 0o600 });
    const path = `repositories/${name.replace(/\.git$/, "")}`;
    const isUnchanged = (await previous.read(`${path}.refs`)) === refs;
    // Git refuses to create an empty bundle.
    if (refs !== "" && !(isUnchanged && (await previous.reuse(`${path}.bundle`, folder))))
      await runGit(["bundle", "create", "--quiet", `${to}.bundle`, "--all"], call);
    bundled.push(name);
  }
  return bundled;
}

const HOUR_MS = 3_600_000;

export type Restored = Done &
  Readonly<{
    /** The time and the version of Gatehouse at which the backup was created. */
    createdAt: string;
    version: string;
    packageFiles: number;
    /** The number of package files that the database lists, but the backup does not contain. */
    missingPackageFiles: number;
  }>;

/**
 * Restores a backup into an empty DATA_DIR and an empty database.
 * @throws BackupRefused if the backup is incomplete, if it contains another kind of database, or if the target is not
 * empty.
 */
export async function restore(config: Config, folder: string): Promise<Restored> {
  const { provider, repositories, migration, secret, createdAt, version } = await readManifest(folder);
  if (provider !== config.database.provider)
    throw new BackupRefused(
      `The backup contains a ${provider} database, but DATABASE_URL names a ${config.database.provider} database. Set DATABASE_URL to an empty ${provider} database.`,
    );
  createFolderDurably(config.dataDir);
  if ((await readdir(config.dataDir)).length > 0)
    throw new BackupRefused(`${config.dataDir} is not empty. Restore into a new DATA_DIR.`);
  const storage = fileStorageOf(config);
  if (!(await isStorageEmpty(storage)))
    throw new BackupRefused(
      `${storage.place} has package files. Set S3_BUCKET to a bucket or a prefix without files.`,
    );
  if (!secret && config.secret === null)
    throw new BackupRefused(
      "The backup does not contain the secret: set GATEHOUSE_SECRET to the secret of the instance.",
    );
  if (secret && config.secret === null && !existsSync(join(folder, "secret")))
    throw new BackupRefused(
      `The backup is incomplete: ${join(folder, "secret")} is missing. Set GATEHOUSE_SECRET to the secret of the instance.`,
    );
  const database = join(folder, DATABASES[provider]);
  if (config.database.provider === "sqlite") copySqliteIn(database, config.database.file);
  else {
    // Migrations that are newer than the backup run after the rows are restored, because these migrations may
    // change the rows.
    await migrate(config.database, { upTo: migration });
    await copyPostgresqlIn(database, config.database.url);
  }
  await migrate(config.database);
  const { restored, packages } = await ofDatabase(config, folder, repositories);
  await unbundleAll(config, folder, restored);
  if (secret && config.secret === null)
    for (const name of SECRETS.filter((file) => existsSync(join(folder, file)))) {
      await copyFile(join(folder, name), join(config.dataDir, name));
      await chmod(join(config.dataDir, name), 0o600);
    }
  await syncTree(config.dataDir);
  if (config.database.provider === "sqlite") {
    await sync(config.database.file);
    await sync(dirname(config.database.file));
  }
  const { restored: packageFiles, missing: missingPackageFiles } = packages;
  return {
    ...{ repositories: restored.length, packageFiles, missingPackageFiles },
    ...{ secret, provider, createdAt, version },
  };
}

/**
 * Returns the files of the backup that belong to the restored database. If a project was created during the
 * backup, the backup may contain the repository of the project but no row of the project. Such a repository
 * is not restored. Otherwise, the next new project would get the same id and the repository of the missing
 * project.
 */
async function ofDatabase(config: Config, folder: string, names: readonly string[]) {
  const { db, close } = await openDatabase(config.database);
  try {
    const repositoryNames = new Set((await allProjectIds({ db })).map((id) => `${id}.git`));
    const packages = await restoreFiles(config, db, folder);
    return { restored: names.filter((name) => repositoryNames.has(name)), packages };
  } finally {
    await close();
  }
}

/**
 * Reads the manifest of a backup.
 * @throws BackupRefused if the folder contains no complete backup of Gatehouse.
 */
export async function readManifest(folder: string): Promise<Manifest> {
  let manifest: Manifest;
  try {
    manifest = JSON.parse(await readFile(join(folder, MANIFEST), "utf8")) as Manifest;
  } catch {
    throw new BackupRefused(
      `${folder} is not a complete backup: the file ${MANIFEST} is missing or cannot be read.`,
    );
  }
  if (manifest.product !== "gatehouse" || manifest.format !== 1 || !(manifest.provider in DATABASES))
    throw new BackupRefused(`${folder} is not a backup of Gatehouse, or a newer version created it.`);
  return manifest;
}

async function unbundleAll(config: Config, folder: string, names: readonly string[]): Promise<void> {
  const to = repositoriesFolder(config);
  for (const name of names) {
    if (!/^\d+\.git$/.test(name))
      throw new BackupRefused(`The backup contains a repository with an unexpected name: ${name}`);
    const from = join(folder, "repositories", name.replace(/\.git$/, ""));
    const unfinished = join(to, `${name}.restoring`);
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
    const call = { cwd: unfinished, path: config.programPath, timeoutMs: HOUR_MS };
    try {
      await runGit(["init", "--quiet", "--bare", "--template=", "."], call);
      if (existsSync(`${from}.bundle`))
        await runGit(["fetch", "--quiet", `${from}.bundle`, "+refs/*:refs/*", "^refs/replace/*"], call);
      const head = (await readFile(`${from}.head`, "utf8")).trim();
      await runGit(["symbolic-ref", "HEAD", head], call);
      await rename(unfinished, join(to, name));
    } catch (cause) {
      await rm(unfinished, { recursive: true, force: true });
      throw cause;
    }
  }
}
