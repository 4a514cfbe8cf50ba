import { padToPowerOfFour } from "@/kernel/db/conditions";
import type { Db, Queries } from "@/kernel/db/db";
import type { BackchannelLogout } from "./backchannel-logout";
import type { ClientAuthentication } from "./client-authentication";
import { logoutColumnsOf } from "./row";
import type { ShownApplication } from "./rules";
import { readStored } from "./store";

/**
 * A client with a metadata document or a dynamic registration. The client has no owner and no secret. A
 * client that authenticates with its own key is confidential.
 */
export type UnregisteredClient = Readonly<{
  uid: string;
  name: string;
  redirectUris: readonly string[];
  scopes: readonly string[];
  backchannelLogout: BackchannelLogout;
  authentication: ClientAuthentication;
}>;

/** Stores a client without an owner, or replaces the values of this client if it is already stored. */
export async function putUnregistered(
  { db, reads }: Queries,
  client: UnregisteredClient,
  now: Date,
): Promise<ShownApplication> {
  const values = {
    name: client.name,
    redirectUris: client.redirectUris.join("\n"),
    scopes: client.scopes.join(" "),
    ...logoutColumnsOf(client.backchannelLogout),
    confidential: client.authentication.method !== null,
    authMethod: client.authentication.method,
    jwks: client.authentication.jwks,
    jwksUri: client.authentication.jwksUri,
    updatedAt: now,
  };
  const fixed = { trusted: false, requiresPkce: true, allowsPassword: false };
  const { id } = await db.application.upsert({
    where: { uid: client.uid },
    create: { ...values, ...fixed, uid: client.uid, createdAt: now },
    update: values,
    select: { id: true },
  });
  return readStored(reads, id);
}

/**
 * Deletes clients that no user has authorized, and that have a metadata document or a dynamic registration.
 * Blocked clients are kept, so that they stay blocked.
 */
export async function removeUnused(db: Db, before: Date, most: number): Promise<number> {
  const none = { none: {} } as const;
  const unused = {
    ownerId: null,
    groupId: null,
    blockedAt: null,
    createdAt: { lt: before },
    consents: none,
    families: none,
    codes: none,
    devices: none,
  };
  const clients = await db.application.findMany({ where: unused, take: most, select: { id: true } });
  if (clients.length === 0) return 0;
  const ids = padToPowerOfFour(clients.map(({ id }) => id));
  return (await db.application.deleteMany({ where: { ...unused, id: { in: ids } } })).count;
}
