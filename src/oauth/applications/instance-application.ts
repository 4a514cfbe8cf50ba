import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import { hasSecrets } from "./client-authentication";
import { newSecret } from "./new-secret";
import type { ApplicationProblems, ListedApplication } from "./rules";
import { change } from "./service";
import * as store from "./store";

/** An application that belongs to the instance, because an administrator owns it. */
export type InstanceApplication = ListedApplication;

export const listOfInstance = (deps: Deps, paging: Paging): Promise<Page<InstanceApplication>> =>
  store.partOfInstance(deps.db, paging);

/**
 * Deletes an application of the instance with its codes and tokens.
 * @returns whether the application existed.
 */
export const removeOfInstance = (deps: Deps, by: User, id: number): Promise<boolean> =>
  deps.transaction(async (within) => {
    const application = await store.findOfInstance(within.db, id);
    if (application === null) return false;
    const { name } = application;
    await audit.record(within, "application.removed", { name }, aboutIt(application, by));
    await store.remove(within.db, id);
    return true;
  });

/**
 * Changes the scopes of an application of the instance. Existing grants keep their scopes.
 * @returns the application, or the problems of the scopes; null when the instance has no such application.
 */
export async function changeScopes(
  deps: Deps,
  by: User,
  id: number,
  scopes: readonly string[],
): Promise<InstanceApplication | { readonly problems: ApplicationProblems } | null> {
  const application = await store.findOfInstance(deps.db, id);
  if (application === null) return null;
  const before = await store.findOwnedBy(deps.db, application.owner.id, id);
  if (before === null) return null;
  const draft = { ...before, redirectUris: before.redirectUris.join("\n"), scopes };
  const outcome = await change(deps, by, id, draft, application.owner, true);
  return outcome === null || "problems" in outcome ? outcome : outcome.application;
}

/**
 * Replaces all secrets of an application with a new secret. The old secrets stop working immediately; issued
 * tokens keep working.
 * @returns the secret in plain text, which is not stored; `public` for an application without secrets,
 * `absent` when the instance has no such application.
 */
export const renewSecret = (
  deps: Deps,
  by: User,
  id: number,
): Promise<{ readonly application: InstanceApplication; readonly secret: string } | "absent" | "public"> =>
  deps.transaction(async (within) => {
    const application = await store.findOfInstance(within.db, id);
    if (application === null) return "absent";
    const now = within.clock();
    const locked = await store.lockOwnedBy(within.db, application.owner.id, id, now);
    if (locked === null) return "absent";
    if (!hasSecrets(locked)) return "public";
    const about = aboutIt(application, by);
    for (const { id: secretId } of await store.secretsOf(within.db, application.owner.id, id))
      await audit.record(within, "application.secret_removed", { secretId }, about);
    await store.removeSecrets(within.db, id);
    const secret = newSecret(within, locked);
    const secretId = await store.insertSecret(within.db, id, secret.stored, now);
    await audit.record(within, "application.secret_added", { secretId }, about);
    return { application, secret: secret.plain };
  });

const aboutIt = ({ id, owner }: InstanceApplication, by: User) => ({
  userId: owner.id,
  applicationId: id,
  actorId: by.id === owner.id ? null : by.id,
});
