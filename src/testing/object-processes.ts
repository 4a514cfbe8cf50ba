import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { needs } from "./machine.ts";
import { gitIsHere } from "./repository.ts";

/** The options of tests that search for Git processes, because only Linux lists processes as files. */
export const GIT_PROCESSES = needs({ git: gitIsHere, proc: process.platform === "linux" });

/**
 * Returns the ids of the processes `git cat-file` whose working folder is the given folder, even if the
 * folder was deleted.
 */
export const objectProcessIds = (folder: string): readonly number[] =>
  readdirSync("/proc").flatMap((name) => {
    try {
      const isObjectProcess = readFileSync(`/proc/${name}/cmdline`, "latin1").includes("cat-file\0--batch");
      return isObjectProcess && readlinkSync(`/proc/${name}/cwd`).startsWith(folder) ? Number(name) : [];
    } catch {
      // The directory entry is not a process, or the process has ended.
      return [];
    }
  });
