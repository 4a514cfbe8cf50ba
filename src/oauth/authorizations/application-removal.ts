import type { Hooks } from "@/kernel/deps/deps";
import { removeClientSessions } from "../client-sessions/service";
import { removeConsentsTo } from "../consents/service";
import * as devices from "../device-authorizations/service";
import { removeGrantsOf } from "../tokens/revocation";
import * as store from "./store";

/**
 * Deletes the consents, the codes and the grants of an application. A request with a consent, a code or a
 * refresh token locks this row first, and then locks the application when it inserts a row with a foreign key.
 * This function locks the rows in the same order, before the application is deleted. A deletion that locks the
 * application first would cause deadlocks. Used authorization codes are deleted with the application, because no
 * request locks them.
 */
export const removeAccessOf: Hooks["applicationRemoval"] = async (deps, applicationId) => {
  await removeConsentsTo(deps, applicationId);
  await removeClientSessions(deps, applicationId);
  await store.removeUnusedCodes(deps.db, applicationId);
  await devices.removeRequestsOf(deps, applicationId);
  await removeGrantsOf(deps, applicationId);
};
