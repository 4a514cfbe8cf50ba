import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { writeLastUses } from "@/instance/last-use/service";
import type { Deps } from "@/kernel/deps/deps";
import { hasSecrets } from "./client-authentication";
import { findManaged, lockManaged } from "./management";
import { newSecret } from "./new-secret";
import { type ApplicationSecret, SECRETS_MAX } from "./rules";
import * as secretStore from "./secret-store";
import { secretsOf as storedSecrets } from "./store.sql";

/** Returns the active secrets of an application that a user manages, oldest first. */
export async function secretsOf(
  deps: Deps,
  user: User,
  applicationId: number,
): Promise<readonly ApplicationSecret[]> {
  await writeLastUses(deps);
  const application = await findManaged(deps, user, applicationId);
  return application === null ? [] : storedSecrets(deps.reads, application.id);
}

/**
 * Adds a second secret to a confidential application that a user manages, so that the servers of the
 * application can be updated one by one.
 * @returns the secret in plain text, which is not stored. The result is `full` when the application already
 * has two secrets, and `absent` when the user does not manage the application or the application is public.
 */
export const addSecret = (
  deps: Deps,
  by: User,
  applicationId: number,
): Promise<{ readonly secret: string } | "full" | "absent"> =>
  deps.transaction(async (within) => {
    const now = within.clock();
    // The row of the application is locked first, so that two simultaneous requests cannot leave three secrets.
    const application = await lockManaged(within, by, applicationId);
    if (application === null || !hasSecrets(application)) return "absent";
    const secrets = await storedSecrets(within.reads, applicationId);
    if (secrets.length >= SECRETS_MAX) return "full";
    const secret = newSecret(within, application);
    const secretId = await secretStore.insertSecret(within.db, applicationId, secret.stored, now);
    await audit.record(within, "application.secret_added", { secretId }, aboutIt(by, applicationId));
    return { secret: secret.plain };
  });

/**
 * Removes a secret, which stops working immediately. Issued tokens keep working.
 * @returns `last` when the application has no other secret, because a confidential application needs a
 * secret.
 */
export const removeSecret = (
  deps: Deps,
  by: User,
  applicationId: number,
  secretId: number,
): Promise<"removed" | "last" | "absent"> =>
  deps.transaction(async (within) => {
    const application = await lockManaged(within, by, applicationId);
    if (application === null) return "absent";
    const secrets = await storedSecrets(within.reads, applicationId);
    if (!secrets.some(({ id }) => id === secretId)) return "absent";
    if (secrets.length === 1) return "last";
    await secretStore.removeSecret(within.db, applicationId, secretId);
    await audit.record(within, "application.secret_removed", { secretId }, aboutIt(by, applicationId));
    return "removed";
  });

const aboutIt = (by: User, applicationId: number) => ({ userId: by.id, applicationId });
