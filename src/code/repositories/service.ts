import { existsSync } from "node:fs";
import { readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { GitFailed, runGit } from "@/code/git/program";
import type { Config } from "@/kernel/config/config";
import type { Deps } from "@/kernel/deps/deps";
import { createFolderDurably, sync, syncTree } from "@/kernel/disk/durable-file";
import { probeStorage, StorageFailed } from "@/kernel/disk/storage";
import { cancelHousekeeping } from "./housekeeping";
import { FIRST_BRANCH } from "./rules";

/** A project as its repository needs it: the folder has its number, and nothing that anybody chose. */
export type RepositoryOf = Readonly<{ id: number }>;

/** Where the repositories of an instance are, each as `ID.git`. */
export const repositoriesFolder = ({ dataDir }: Pick<Config, "dataDir">): string =>
  join(dataDir, "repositories");

const folderOf = ({ config }: Pick<Deps, "config">, { id }: RepositoryOf): string =>
  join(repositoriesFolder(config), `${id}.git`);

/**
 * Handles the failure of a Git command that writes. Git often does not name the disk as the reason, and its words may
 * be those of a caller: the disk is probed.
 * @throws StorageFailed where the disk is full or cannot be written; the failure itself otherwise.
 */
export const afterProbe =
  ({ config }: Pick<Deps, "config">) =>
  async (cause: unknown): Promise<never> => {
    const reason = cause instanceof GitFailed ? await probeStorage(config.dataDir) : null;
    throw reason === null ? cause : new StorageFailed(reason, String(cause));
  };

/**
 * The bare repository of a project, made where it is missing.
 * @returns its folder.
 * @throws GitFailed, StorageFailed, or the system's error where Git is not installed or the folder cannot be written.
 */
export async function repositoryOf(deps: Pick<Deps, "config">, project: RepositoryOf): Promise<string> {
  const folder = folderOf(deps, project);
  if (existsSync(folder)) return folder;
  // Made beside its place and moved there whole: two that come at once see one repository, and never half of one.
  const unfinished = `${folder}.${process.pid}.${performance.now()}`;
  createFolderDurably(unfinished);
  const call = { cwd: unfinished, path: deps.config.programPath };
  const args = ["init", "--quiet", "--bare", "--template=", `--initial-branch=${FIRST_BRANCH}`, "."];
  await runGit(args, call).catch(afterProbe(deps));
  // Git does not sync the configuration of a new repository.
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
 * The branch that HEAD of a repository names, whether or not that branch has a commit. It is read from the file, which
 * Git replaces as a whole: every push and every rule for the default branch needs it, and no process is worth that.
 */
export async function headBranch(deps: Pick<Deps, "config">, project: RepositoryOf): Promise<string> {
  try {
    const text = await readFile(join(folderOf(deps, project), "HEAD"), "utf8");
    return /^ref: refs\/heads\/(.+)$/m.exec(text)?.[1] ?? FIRST_BRANCH;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return FIRST_BRANCH;
    throw cause;
  }
}

/** Makes the repository of a new project. Where that fails, the first use of it tries again. */
export async function prepareRepository(
  deps: Pick<Deps, "config" | "log">,
  project: RepositoryOf,
): Promise<void> {
  const folder = folderOf(deps, project);
  try {
    if (existsSync(folder)) {
      // What somebody else left behind must not become this project's code.
      deps.log.error({ event: "repository.left_behind", project_id: project.id });
      await rename(folder, `${folder}.left.${performance.now()}`);
    }
    await repositoryOf(deps, project);
  } catch (cause) {
    deps.log.warn({ event: "repository.not_made", project_id: project.id }, cause);
  }
}

/** Removes the repositories of projects that are gone. What cannot be removed is logged: nobody can reach it. */
export async function removeRepositories(
  deps: Pick<Deps, "config" | "log">,
  projectIds: readonly number[],
): Promise<void> {
  for (const id of projectIds) {
    const folder = folderOf(deps, { id });
    if (!existsSync(folder)) continue;
    try {
      await cancelHousekeeping(id);
      const doomed = `${folder}.removed.${performance.now()}`;
      await rename(folder, doomed);
      await rm(doomed, { recursive: true, force: true });
    } catch (cause) {
      // A project and the group above it can be removed at the same time.
      if ((cause as NodeJS.ErrnoException).code === "ENOENT" && !existsSync(folder)) continue;
      deps.log.error({ event: "repository.not_removed", project_id: id }, cause);
    }
  }
}
