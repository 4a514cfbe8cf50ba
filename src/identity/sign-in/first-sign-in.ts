import { existsSync } from "node:fs";
import { join } from "node:path";
import * as audit from "@/instance/audit/service";
import { readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";
import { processWide } from "@/kernel/process/process-wide";
import { onlyUserSince } from "../users/service";

/** The first start writes the password of root to this file in the data directory. */
export const INITIAL_PASSWORD = "initial_root_password";

/**
 * The place of the first password of root: an environment variable, a file in the data directory, or the
 * output of the first start.
 */
export type RootPasswordPlace = "variable" | "file" | "output";

const state = processWide("first-sign-in", () => ({ isOver: false }));

/**
 * The audit events that show that root may have signed in or may have another password. The list of audit
 * events includes changes to the settings. A change to the settings can extend the retention period of audit
 * events after the events of earlier sign-ins were already pruned.
 */
const EVENTS_OF_USE = [
  "sign_in.succeeded",
  "user.changed",
  "access.revoked",
  "password_reset.completed",
  "setting.changed",
] as const;

/**
 * Returns the place where the first password of root can be found. The result is null after the first sign-in
 * of any user, or after a change of the password. The result does not contain the path of the data directory.
 */
export async function rootPasswordPlace(deps: Deps): Promise<RootPasswordPlace | null> {
  if (state().isOver) return null;
  state().isOver = await isUsed(deps);
  if (state().isOver) return null;
  if (deps.config.rootPassword !== null) return "variable";
  return existsSync(join(deps.config.dataDir, INITIAL_PASSWORD)) ? "file" : "output";
}

/**
 * Returns whether the instance was used before. The result is true if the instance has several users, is
 * older than the retention period of audit events, or has one of the audit events in `EVENTS_OF_USE`.
 * Sessions are not checked, because they are pruned one day after they end.
 */
async function isUsed(deps: Deps): Promise<boolean> {
  const since = await onlyUserSince(deps);
  if (since === null) return true;
  const { audit_event_retention_days: retentionDays } = await readSettings(deps);
  const ageMs = deps.clock().getTime() - since.getTime();
  if (retentionDays > 0 && ageMs >= retentionDays * 86_400_000) return true;
  return audit.hasEvent(deps, EVENTS_OF_USE);
}
