import type { Scope } from "@/access/scopes";
import * as audit from "@/instance/audit/service";
import { readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";
import { admitsClientUrl, isClientUrl } from "./client-url";
import { removeWithAccess } from "./removal";
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
 * Stores a client with a metadata document or a dynamic registration, and records an audit event for a new
 * client and for a changed client. Call this function in a transaction.
 * @param client.by whether the client has a metadata document or registered dynamically, for the audit event.
 * @param client.otherChanges the changed members of the metadata that are not columns of the application.
 */
export async function saveUnregistered(
  deps: Deps,
  client: unregisteredStore.UnregisteredClient &
    Readonly<{
      by: "document" | "registration";
      userId: number | null;
      otherChanges: readonly string[];
    }>,
): Promise<ShownApplication> {
  const { by, userId, otherChanges, ...values } = client;
  const before = await lockedClient(deps, client.uid);
  const application = await unregisteredStore.putUnregistered(deps, values, deps.clock());
  const { id: applicationId } = application;
  if (before === null) {
    const about = { applicationId, ...(userId === null ? {} : { userId }) };
    await audit.record(deps, "application.admitted", { by, uid: client.uid }, about);
    return application;
  }
  const members = [...changedMembers(before, { ...application, ...client.authentication }), ...otherChanges];
  // The event has no user: the client has changed its metadata, and not the user who opened the client.
  if (members.length > 0)
    await audit.record(deps, "application.metadata_changed", { by, members }, { applicationId });
  return application;
}

type StoredKeys = Readonly<{ jwks: string | null; jwksUri: string | null }>;

/** Locks a stored client. @returns the client with its public keys; null if the client is not stored yet. */
async function lockedClient(deps: Deps, uid: string): Promise<(Application & StoredKeys) | null> {
  const { db, reads } = deps;
  const stored = await store.findByUid(reads, uid);
  if (stored === null) return null;
  await store.lock(db, stored.id, deps.clock());
  const [application, keys] = [await store.findByUid(reads, uid), await store.keysOf(db, stored.id)];
  return application && { ...application, jwks: keys?.jwks ?? null, jwksUri: keys?.jwksUri ?? null };
}

/** The values of an unregistered client that an audit event names, keyed by the member of the metadata. */
const membersOf = (client: Application & StoredKeys): Readonly<Record<string, string | boolean | null>> => ({
  client_name: client.name,
  redirect_uris: client.redirectUris.join("\n"),
  scope: client.scopes.join(" "),
  token_endpoint_auth_method: client.authMethod,
  jwks: client.jwks,
  jwks_uri: client.jwksUri,
  backchannel_logout_uri: client.backchannelLogout.uri,
  backchannel_logout_session_required: client.backchannelLogout.sessionRequired,
});

function changedMembers(
  before: Application & StoredKeys,
  after: Application & StoredKeys,
): readonly string[] {
  const old = membersOf(before);
  return Object.entries(membersOf(after)).flatMap(([name, value]) => (value === old[name] ? [] : [name]));
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
    await removeWithAccess(within, id);
  });
