import { existsSync, statSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { endObjectProcesses, type StoredRepository } from "@/code/git/object-process";
import { GitFailed, runGit } from "@/code/git/program";
import { readHead } from "@/code/git/reference-files";
import type { Config } from "@/kernel/config/config";
import type { Deps } from "@/kernel/deps/deps";
import { createFolderDurably, sync, syncTree } from "@/kernel/disk/durable-file";
import { probeStorage, StorageFailed } from "@/kernel/disk/storage";
import { cancelHousekeeping } from "./housekeeping";
import { FIRST_BRANCH } from "./rules";

/**
 * Those fields of a project that determine the path of the repository folder. The name of a repository folder
 * contains only the project id, never text from a user.
 */
export type RepositoryOf = Readonly<{ id: number }>;

/** Returns the folder of all repositories of the instance. The name of each repository is `ID.git`. */
export const repositoriesFolder = ({ dataDir }: Pick<Config, "dataDir">): string =>
  join(dataDir, "repositories");

/** Returns the folder of a project's repository, even if it does not exist. */
export const folderOf = ({ config }: Pick<Deps, "config">, { id }: RepositoryOf): string =>
  join(repositoriesFolder(config), `${id}.git`);

/**
 * Handles the failure of a Git command that writes to a repository. Git's error message is not a reliable
 * sign of a storage failure, because the message may omit the reason or contain text from a user. To detect a
 * storage failure, the function tests whether the disk can be written.
 * @throws StorageFailed if the disk is full or cannot be written, otherwise the original failure.
 */
export const afterProbe =
  ({ config }: Pick<Deps, "config">) =>
  async (cause: unknown): Promise<never> => {
    const reason = cause instanceof GitFailed ? await probeStorage(config.dataDir) : null;
    throw reason === null ? cause : new StorageFailed(reason, String(cause));
  };

/**
 * Returns the folder of a project's bare repository. Creates the repository if it is missing.
 * @throws GitFailed, StorageFailed, or the system's error if Git is not installed or the folder cannot be written.
 */
export async function repositoryOf(deps: Pick<Deps, "config">, project: RepositoryOf): Promise<string> {
  const folder = folderOf(deps, project);
  if (existsSync(folder)) return folder;
  // The repository is created under a temporary name, so that concurrent calls never see a partial repository.
  const unfinished = `${folder}.${process.pid}.${performance.now()}`;
  createFolderDurably(unfinished);
  const call = { cwd: unfinished, path: deps.config.programPath };
  const args = ["init", "--quiet", "--bare", "--template=", `--initial-branch=${FIRST_BRANCH}`, "."];
  await runGit(args, call).catch(afterProbe(deps));
  // Git does not sync the configuration file of a new repository.
  await syncTree(unfinished);
  try {
    await rename(unfinished, folder);
    await sync(repositoriesFolder(deps.config));
  } catch (cause) {
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw cause;
  }
  return folder;
}

/**
 * Returns the repository of a project, like `repositoryOf`, with a key for the cached objects of this
 * repository. If a new project gets the id of a deleted project, the repository of the new project has a
 * different key.
 */
export async function storedRepository(
  deps: Pick<Deps, "config">,
  project: RepositoryOf,
): Promise<StoredRepository> {
  const folder = await repositoryOf(deps, project);
  const { ino, birthtimeMs } = statSync(folder);
  return { folder, key: `${project.id} ${ino} ${birthtimeMs}` };
}

/** Returns the name of the branch to which HEAD of a repository points, even if the branch has no commit. */
export const headBranch = (deps: Pick<Deps, "config">, project: RepositoryOf): string =>
  /^refs\/heads\/(.+)$/.exec(readHead(folderOf(deps, project)) ?? "")?.[1] ?? FIRST_BRANCH;

/**
 * Renames the repository folder that remains from a deleted project with the same id, so that the folder does not
 * become the repository of a new project. The function must run before the transaction that creates the project
 * is committed. After the commit, the folder may contain commits that users have pushed to the new project.
 */
export async function moveRemainingRepository(
  deps: Pick<Deps, "config" | "log">,
  project: RepositoryOf,
): Promise<void> {
  const folder = folderOf(deps, project);
  if (!existsSync(folder)) return;
  deps.log.error({ event: "repository.left_behind", project_id: project.id });
  await rename(folder, `${folder}.left.${performance.now()}`);
}

/**
 * Creates the repository of a new project. A failure is only logged, because a missing repository is created
 * on first use.
 */
export async function prepareRepository(
  deps: Pick<Deps, "config" | "log">,
  project: RepositoryOf,
): Promise<void> {
  try {
    await repositoryOf(deps, project);
  } catch (cause) {
    deps.log.warn({ event: "repository.not_made", project_id: project.id }, cause);
  }
}

/**
 * Deletes the repositories of deleted projects. A failure is only logged, because the repository no longer
 * has a URL.
 */
export async function removeRepositories(
  deps: Pick<Deps, "config" | "log">,
  projectIds: readonly number[],
): Promise<void> {
  for (const id of projectIds) {
    const folder = folderOf(deps, { id });
    if (!existsSync(folder)) continue;
    try {
      await cancelHousekeeping(id);
      const renamed = `${folder}.removed.${performance.now()}`;
      await rename(folder, renamed);
      await endObjectProcesses(folder);
      // `git gc`, which another server process started, may still write to the folder.
      await rm(renamed, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    } catch (cause) {
      // A concurrent call may have renamed the folder, because a project and the group of the project can be
      // deleted simultaneously.
      if ((cause as NodeJS.ErrnoException).code === "ENOENT" && !existsSync(folder)) continue;
      deps.log.error({ event: "repository.not_removed", project_id: id }, cause);
    }
  }
}
