import { createBot, removeBot, renameBot, setBotActive } from "@/identity/users/bot-users";
import type { Deps } from "@/kernel/deps/deps";
import * as store from "./store";

/** The bot user of an application. Projects and groups can add it as a member by its username. */
export type ApplicationBot = Readonly<{
  id: number;
  username: string;
  /** Whether the tokens of the bot work: the grant is on, and no administrator has blocked the bot. */
  isActive: boolean;
}>;

/** Returns the bot of an application; null for an application that never had a bot. */
export async function botOf(deps: Pick<Deps, "db">, applicationId: number): Promise<ApplicationBot | null> {
  const bot = await store.find(deps.db, applicationId);
  return bot && { id: bot.id, username: bot.username, isActive: bot.state === "active" };
}

/**
 * Creates, renames, activates or deactivates the bot of an application, in the transaction of `deps`, which has locked
 * the application. The tokens of a deactivated bot do not work. A deactivated bot keeps its memberships.
 * @param isOn whether the application may use the client credentials grant.
 */
export async function putBot(
  deps: Deps,
  application: Readonly<{ id: number; name: string }>,
  isOn: boolean,
): Promise<void> {
  const bot = await store.find(deps.db, application.id);
  if (bot !== null) {
    if (bot.name !== application.name) await renameBot(deps, bot.id, application.name);
    await setBotActive(deps, bot.id, isOn);
    return;
  }
  if (!isOn) return;
  const username = `application_${application.id}_bot_${Buffer.from(deps.randomBytes(8)).toString("hex")}`;
  const { id: userId } = await createBot(deps, { kind: "application_bot", username, name: application.name });
  await store.insert(deps.db, { applicationId: application.id, userId });
}

/**
 * Removes the bot of an application that is deleted in the transaction of `deps`. Its contributions are assigned to the
 * ghost user by the job that deletes users.
 */
export async function removeBotOf(deps: Deps, applicationId: number): Promise<void> {
  const bot = await store.find(deps.db, applicationId);
  if (bot !== null) await removeBot(deps, bot.id);
}
