import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { runGit } from "@/code/git/program";
import type { Deps } from "@/kernel/deps/deps";
import { repositoriesFolder } from "./service";

/**
 * Deletes `refs/replace/*` in all repositories. Earlier versions of the server accepted pushes to
 * `refs/replace/*`. The server ignores replacement references, but a client that fetches replacement
 * references would see different objects. The function skips repositories that it cannot read, and logs the
 * errors.
 */
export async function deleteReplaceRefs({ config, log }: Pick<Deps, "config" | "log">): Promise<void> {
  const folder = repositoriesFolder(config);
  const names = existsSync(folder) ? await readdir(folder) : [];
  for (const name of names.filter((entry) => /^\d+\.git$/.test(entry))) {
    const call = { cwd: join(folder, name), path: config.programPath };
    try {
      // The function first reads the reference files, because most repositories contain no replacement
      // references and then need no Git process.
      if (!(await hasReplaceRefs(call.cwd))) continue;
      const input = await runGit(["for-each-ref", "--format=delete %(refname)", "refs/replace"], call);
      await runGit(["update-ref", "--stdin"], { ...call, input });
      log.warn({ event: "repository.replace_refs_deleted", project_id: Number.parseInt(name, 10) });
    } catch (cause) {
      log.error(
        { event: "repository.replace_refs_not_deleted", project_id: Number.parseInt(name, 10) },
        cause,
      );
    }
  }
}

async function hasReplaceRefs(repository: string): Promise<boolean> {
  if (existsSync(join(repository, "refs", "replace"))) return true;
  const packed = join(repository, "packed-refs");
  return existsSync(packed) && (await readFile(packed, "latin1")).includes(" refs/replace/");
}
