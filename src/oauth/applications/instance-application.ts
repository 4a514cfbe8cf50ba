import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import { removeBotOf } from "../application-bots/service";
import { hasSecrets } from "./client-authentication";
import * as listStore from "./list-store";
import { newSecret } from "./new-secret";
import { removeWithAccess } from "./removal";
import type { ApplicationDraft, ApplicationProblems, ListedApplication, ShownApplication } from "./rules";
import * as secretStore from "./secret-store";
import { applyDraft, publishKeyFor } from "./service";
import * as store from "./store";
import { secretsOf } from "./store.sql";

/** An application that belongs to the instance, because an administrator owns it. */
export type InstanceApplication = ListedApplication;

/** Returns a page of the applications whose owners are of the given kind. */
export const listOfKind = (
  deps: Deps,
  kind: listStore.OwnerKind,
  paging: Paging,
): Promise<Page<ListedApplication>> => listStore.partOfKind(deps, kind, paging);

/**
 * Deletes an application of the instance with its authorization codes and tokens.
 * @returns whether the application existed.
 */
export const removeOfInstance = (deps: Deps, by: User, id: number): Promise<boolean> =>
  deps.transaction(async (within) => {
    const application = await listStore.findOfInstance(within.reads, id);
    if (application === null) return false;
    const { name } = application;
    await audit.record(within, "application.removed", { name }, aboutIt(application, by));
    await removeBotOf(within, id);
    await removeWithAccess(within, id);
    return true;
  });

/** The values that the API can change in an application. */
type OptionsDraft = Pick<
  ApplicationDraft,
  "scopes" | "requiresPushedRequests" | "requiresDpop" | "tokens" | "clientCredentialsScopes"
>;

/**
 * Changes the scopes and the options of an application of the instance. Existing grants keep their scopes. If
 * the draft does not contain scopes for the client credentials grant, each scope that the application loses
 * is also removed from the client credentials grant.
 * @param draftOf returns the new values of the application.
 * @returns the application, or the error messages by field; null when no application of the instance has this
 * id.
 */
export async function changeOptions(
  deps: Deps,
  by: User,
  id: number,
  draftOf: (before: ShownApplication) => OptionsDraft,
): Promise<ShownApplication | { readonly problems: ApplicationProblems } | null> {
  const current = await listStore.findShownOfInstance(deps.reads, id);
  if (current === null) return null;
  // The signing key is created outside of the transaction, because the generation of a key takes a long time.
  await publishKeyFor(deps, draftOf(current).tokens);
  return deps.transaction(async (within) => {
    await store.lock(within.db, id, within.clock());
    const before = await listStore.findShownOfInstance(within.reads, id);
    if (before === null) return null;
    const changes = draftOf(before);
    const draft = {
      ...before,
      clientCredentialsScopes: before.clientCredentialsScopes.filter((scope) =>
        changes.scopes.includes(scope),
      ),
      ...changes,
      redirectUris: before.redirectUris.join("\n"),
    };
    const outcome = await applyDraft(within, by, before, draft, aboutIt(before, by), true);
    return "problems" in outcome ? outcome : outcome.application;
  });
}

/**
 * Replaces all secrets of an application with a new secret. The old secrets stop working immediately; issued
 * tokens keep working.
 * @returns the secret in plain text, which is not stored; `public` for an application without secrets,
 * `absent` when no application of the instance has this id.
 */
export const renewSecret = (
  deps: Deps,
  by: User,
  id: number,
): Promise<{ readonly application: InstanceApplication; readonly secret: string } | "absent" | "public"> =>
  deps.transaction(async (within) => {
    const now = within.clock();
    await store.lock(within.db, id, now);
    const application = await listStore.findOfInstance(within.reads, id);
    if (application === null) return "absent";
    const locked = await listStore.findShownOfInstance(within.reads, id);
    if (locked === null) return "absent";
    if (!hasSecrets(locked)) return "public";
    const about = aboutIt(application, by);
    for (const { id: secretId } of await secretsOf(within.reads, id))
      await audit.record(within, "application.secret_removed", { secretId }, about);
    await secretStore.removeSecrets(within.db, id);
    const secret = newSecret(within, locked);
    const secretId = await secretStore.insertSecret(within.db, id, secret.stored, now);
    await audit.record(within, "application.secret_added", { secretId }, about);
    return { application, secret: secret.plain };
  });

const aboutIt = ({ id, owner }: Pick<InstanceApplication, "id" | "owner">, by: User) => ({
  userId: owner.id,
  applicationId: id,
  actorId: by.id === owner.id ? null : by.id,
});
