import type { Scope } from "@/access/scopes";
import * as audit from "@/instance/audit/service";
import { readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";
import { admitsClientUrl, isClientUrl } from "./client-url";
import type { Application, ShownApplication } from "./rules";
import * as store from "./store";
import * as unregisteredStore from "./unregistered-store";

/**
 * Returns the scopes that the settings of the instance allow for an unregistered client; empty if the
 * instance does not accept the client.
 */
export async function admittedScopes(
  deps: Deps,
  { uid, scopes }: Pick<Application, "uid" | "scopes">,
): Promise<readonly Scope[]> {
  const settings = await readSettings(deps);
  if (isClientUrl(uid) && !admitsClientUrl(uid, settings, deps.config.baseUrl)) return [];
  const admitted = isClientUrl(uid)
    ? settings.client_id_metadata_documents
    : settings.dynamic_client_registration;
  if (admitted === "off") return [];
  return admitted === "on" ? scopes : scopes.filter((scope) => scope === "mcp");
}

/**
 * Returns a client with the scopes that the instance allows for the client. The scopes of a registered client
 * do not change.
 */
export const withAdmittedScopes = async <Client extends Application>(
  deps: Deps,
  client: Client,
): Promise<Client> =>
  client.registered ? client : { ...client, scopes: await admittedScopes(deps, client) };

/**
 * Stores a client with a metadata document or a dynamic registration. A new client and changed values of a
 * client are recorded as audit events.
 * @param client.by whether the client has a metadata document or registered dynamically, for the audit event
 * of a new client.
 * @param client.userId the user whose request caused the first request for the metadata document; null for a
 * dynamic registration.
 */
export async function saveUnregistered(
  deps: Deps,
  client: unregisteredStore.UnregisteredClient &
    Readonly<{ by: "document" | "registration"; userId: number | null }>,
): Promise<ShownApplication> {
  const { by, userId, ...values } = client;
  const { application, change } = await unregisteredStore.putUnregistered(deps.db, values, deps.clock());
  const applicationId = application.id;
  if (change === "created")
    await audit.record(deps, "application.admitted", { by, uid: client.uid }, { applicationId, userId });
  else if (change === "changed") await audit.record(deps, "application.changed", {}, { applicationId });
  return application;
}

/**
 * Removes at most `most` clients without an owner. A client is removed if it was stored before the given time
 * and no user has authorized it. Blocked clients are kept.
 * @returns the number of removed clients.
 */
export const removeUnusedClients = ({ db }: Pick<Deps, "db">, before: Date, most: number): Promise<number> =>
  unregisteredStore.removeUnused(db, before, most);

/** Deletes a client that has no owner, and deletes the authorization codes and tokens of the client. */
export const removeUnregistered = (
  deps: Deps,
  { id, name }: Readonly<{ id: number; name: string }>,
): Promise<void> =>
  deps.transaction(async (within) => {
    await audit.record(within, "application.removed", { name }, { applicationId: id });
    await store.remove(within.db, id);
  });
