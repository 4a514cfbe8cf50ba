import type { User } from "@/access/principal";
import { ROLES } from "@/access/roles";
import { findById as findUser } from "@/identity/users/service";
import type { Deps } from "@/kernel/deps/deps";
import { LEAST_TO_MANAGE } from "../members/rules";
import { managerIds } from "../members/service";
import * as store from "./store";

/**
 * Returns the project or group of the access token of a bot, and the active users who may rotate the token.
 * Members of a parent group who have the required role are included.
 */
export async function tokenManagers(
  deps: Deps,
  botId: number,
): Promise<Readonly<{ place: readonly [string, string]; managers: readonly User[] }>> {
  const resource = await store.resourceOfBot(deps.db, botId);
  if (resource === null) return { place: ["Project", ""], managers: [] };
  const least = ROLES[LEAST_TO_MANAGE[resource.kind]].level;
  const managers: User[] = [];
  for (const id of await managerIds(deps, resource, least)) {
    const user = await findUser(deps, id);
    if (user?.state === "active" && user.kind === "human") managers.push(user);
  }
  return { place: [resource.kind === "group" ? "Group" : "Project", resource.fullPath], managers };
}
