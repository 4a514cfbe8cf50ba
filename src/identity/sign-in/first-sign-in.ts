import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Deps } from "@/kernel/deps/deps";
import { processWide } from "@/kernel/process/process-wide";
import { hasSessions } from "../sessions/last-sign-in";
import { hasOneUser } from "../users/service";

/** The file in the data directory to which the first start writes the password of root. */
export const INITIAL_PASSWORD = "initial_root_password";

/** The place of the password of root: a variable, a file in the data directory, or the output of the first start. */
export type RootPasswordPlace = "variable" | "file" | "output";

const state = processWide("first-sign-in", () => ({ isOver: false }));

/**
 * Returns the place where the first password of root can be found. After the first sign-in of any user, returns null.
 * The place does not contain the path of the data directory.
 */
export async function rootPasswordPlace(deps: Deps): Promise<RootPasswordPlace | null> {
  if (state().isOver) return null;
  state().isOver = (await hasSessions(deps)) || !(await hasOneUser(deps));
  if (state().isOver) return null;
  if (deps.config.rootPassword !== null) return "variable";
  return existsSync(join(deps.config.dataDir, INITIAL_PASSWORD)) ? "file" : "output";
}
