import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import { removeBotOf } from "../application-bots/service";
import { hasSecrets } from "./client-authentication";
import { newSecret } from "./new-secret";
import type { ApplicationProblems, ListedApplication } from "./rules";
import { applyDraft } from "./service";
import * as store from "./store";

/** An application that belongs to the instance, because an administrator owns it. */
export type InstanceApplication = ListedApplication;

/** Returns a page of the applications with a kind of owners. */
export const listOfKind = (
  deps: Deps,
  kind: store.OwnerKind,
  paging: Paging,
): Promise<Page<ListedApplication>> => store.partOfKind(deps.db, kind, paging);

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
    await removeBotOf(within, id);
    await store.remove(within.db, id);
    return true;
  });

/**
 * Changes the scopes of an application of the instance. Existing grants keep their scopes.
 * @returns the application, or the problems of the scopes; null when the instance has no such application.
 */
export const changeScopes = (
  deps: Deps,
  by: User,
  id: number,
  scopes: readonly string[],
): Promise<InstanceApplication | { readonly problems: ApplicationProblems } | null> =>
  deps.transaction(async (within) => {
    await store.lock(within.db, id, within.clock());
    const before = await store.findShownOfInstance(within.db, id);
    if (before === null) return null;
    const draft = {
      ...before,
      redirectUris: before.redirectUris.join("\n"),
      scopes,
      clientCredentialsScopes: before.clientCredentialsScopes.filter((scope) => scopes.includes(scope)),
    };
    const outcome = await applyDraft(within, by, before, draft, aboutIt(before, by), true);
    return "problems" in outcome ? outcome : outcome.application;
  });

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
    const now = within.clock();
    await store.lock(within.db, id, now);
    const application = await store.findOfInstance(within.db, id);
    if (application === null) return "absent";
    const locked = await store.findShownOfInstance(within.db, id);
    if (locked === null) return "absent";
    if (!hasSecrets(locked)) return "public";
    const about = aboutIt(application, by);
    for (const { id: secretId } of await store.secretsOf(within.db, id))
      await audit.record(within, "application.secret_removed", { secretId }, about);
    await store.removeSecrets(within.db, id);
    const secret = newSecret(within, locked);
    const secretId = await store.insertSecret(within.db, id, secret.stored, now);
    await audit.record(within, "application.secret_added", { secretId }, about);
    return { application, secret: secret.plain };
  });

const aboutIt = ({ id, owner }: Pick<InstanceApplication, "id" | "owner">, by: User) => ({
  userId: owner.id,
  applicationId: id,
  actorId: by.id === owner.id ? null : by.id,
});
