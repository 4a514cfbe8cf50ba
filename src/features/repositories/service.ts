import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "@/platform/config";
import type { Deps } from "@/platform/deps";
import { runGit } from "@/platform/git/program";
import { leaveAlone } from "./housekeeping";
import { FIRST_BRANCH } from "./rules";

/** A project as its repository needs it: the folder has its number, and nothing that anybody chose. */
export type RepositoryOf = Readonly<{ id: number }>;

/** Where the repositories of an instance are, each as `ID.git`. */
export const repositoriesFolder = ({ dataDir }: Pick<Config, "dataDir">): string =>
  join(dataDir, "repositories");

const folderOf = ({ config }: Pick<Deps, "config">, { id }: RepositoryOf): string =>
  join(repositoriesFolder(config), `${id}.git`);

/**
 * The bare repository of a project, made where it is missing.
 * @returns its folder.
 * @throws GitFailed, or the system's error where Git is not installed or the folder cannot be written.
 */
export async function repositoryOf(deps: Pick<Deps, "config">, project: RepositoryOf): Promise<string> {
  const folder = folderOf(deps, project);
  if (existsSync(folder)) return folder;
  // Made beside its place and moved there whole: two that come at once see one repository, and never half of one.
  const unfinished = `${folder}.${process.pid}.${performance.now()}`;
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  const call = { cwd: unfinished, path: deps.config.programPath };
  await runGit(["init", "--quiet", "--bare", "--template=", `--initial-branch=${FIRST_BRANCH}`, "."], call);
  try {
    await rename(unfinished, folder);
  } catch (cause) {
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw cause;
  }
  return folder;
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
      await leaveAlone(id);
      const doomed = `${folder}.removed.${performance.now()}`;
      await rename(folder, doomed);
      await rm(doomed, { recursive: true, force: true });
    } catch (cause) {
      deps.log.error({ event: "repository.not_removed", project_id: id }, cause);
    }
  }
}
