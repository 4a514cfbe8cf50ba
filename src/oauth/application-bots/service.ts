import { createBot, removeBot, renameBot, setBotActive } from "@/identity/users/bot-users";
import type { Deps } from "@/kernel/deps/deps";
import { insert } from "./store";
import { findByApplication } from "./store.sql";

declare module "@/kernel/deps/deps" {
  interface Hooks {
    /** Revokes the grants of the bot user of an application, in the transaction that `deps` contains. */
    revokeBotGrants: (deps: Deps, botId: number, applicationId: number) => Promise<void>;
  }
}

/** The bot user of an application. Projects and groups can add the bot as a member by its username. */
export type ApplicationBot = Readonly<{
  id: number;
  username: string;
  /**
   * Whether the tokens of the bot work: the client credentials grant is on, and no administrator has blocked
   * the bot.
   */
  isActive: boolean;
}>;

/** Returns the bot of an application; null for an application that never had a bot. */
export async function botOf(
  { reads }: Pick<Deps, "reads">,
  applicationId: number,
): Promise<ApplicationBot | null> {
  const bot = await findByApplication(reads, applicationId);
  return bot && { id: bot.id, username: bot.username, isActive: bot.state === "active" };
}

/**
 * Creates, renames, activates or deactivates the bot of an application, in the transaction that `deps`
 * contains. The caller must have locked the row of the application in this transaction. The tokens of a
 * deactivated bot do not work. A deactivated bot keeps its memberships. If the client credentials grant loses
 * a scope, the tokens of the bot are revoked. Without the revocation, the tokens of the bot would work again
 * after the scope is added again.
 * @param scopesBefore the scopes that the client credentials grant had before the change.
 */
export async function putBot(
  deps: Deps,
  application: Readonly<{ id: number; name: string; clientCredentialsScopes: readonly string[] }>,
  scopesBefore: readonly string[],
): Promise<void> {
  const { id, name, clientCredentialsScopes: scopes } = application;
  const isOn = scopes.length > 0;
  const bot = await findByApplication(deps.reads, id);
  if (bot !== null) {
    if (bot.name !== name) await renameBot(deps, bot.id, name);
    await setBotActive(deps, bot.id, isOn);
    const losesScope = scopesBefore.some((scope) => !scopes.includes(scope));
    if (losesScope) await deps.hooks.revokeBotGrants(deps, bot.id, id);
    return;
  }
  if (!isOn) return;
  const username = `application_${id}_bot_${Buffer.from(deps.randomBytes(8)).toString("hex")}`;
  const { id: userId } = await createBot(deps, { kind: "application_bot", username, name });
  await insert(deps.db, { applicationId: id, userId });
}

/**
 * Removes the bot of an application that is deleted in the transaction that `deps` contains. The job that
 * deletes users assigns the contributions of the bot to the ghost user.
 */
export async function removeBotOf(deps: Deps, applicationId: number): Promise<void> {
  const bot = await findByApplication(deps.reads, applicationId);
  if (bot !== null) await removeBot(deps, bot.id);
}
