import type { User } from "@/access/principal";
import { instanceNamesOf } from "@/identity/users/new-password";
import * as audit from "@/instance/audit/service";
import { enqueueUse, writeLastUses } from "@/instance/last-use/service";
import { readSettings } from "@/instance/settings/service";
import { matches } from "@/kernel/crypto/token";
import type { Deps } from "@/kernel/deps/deps";
import { putBot, removeBotOf } from "../application-bots/service";
import { publishFirstKey } from "../signing-keys/service";
import { type ClientAuthenticationDraft, hasSecrets } from "./client-authentication";
import * as listStore from "./list-store";
import * as logoStore from "./logo-store";
import { logoUrl } from "./logo-url";
import { findManaged, lockManaged } from "./management";
import { newSecret } from "./new-secret";
import { redirectUriProblem } from "./redirect-uri";
import { removeWithAccess } from "./removal";
import { clientFrom } from "./row";
import {
  type Application,
  type ApplicationDraft,
  type ApplicationProblems,
  isBlocked,
  type ManagedApplication,
  type ShownApplication,
  validateApplication,
} from "./rules";
import * as secretStore from "./secret-store";
import * as store from "./store";
import { findClient, logoDigests } from "./store.sql";
import type { TokenOptions } from "./token-options";
import { admittedScopes } from "./unregistered";

/**
 * A saved application. `secret` is the new secret in plain text, which the server does not store; null when
 * no secret was created.
 */
export type Registered = Readonly<{ application: ShownApplication; secret: string | null }>;

/**
 * Returns whether http redirect URIs are allowed on any host. Only an instance that is served over http
 * allows http redirect URIs on any host.
 */
export const allowsPlainHttp = (deps: Deps): boolean => deps.config.baseUrl.protocol === "http:";

/**
 * Returns whether users may register applications. Administrators and the command line may always register
 * applications.
 */
export const registrationIsOpen = async (deps: Deps): Promise<boolean> =>
  (await readSettings(deps)).user_oauth_applications;

/** The result of a registration: the application, or the error messages by field. */
export type Registration = Registered | { readonly problems: ApplicationProblems };

/**
 * Registers an application of a user. A confidential application gets a secret, which is shown once.
 * @param trusted whether users skip consent. Only the command line sets `trusted`, never the registration
 * page.
 */
export const register = (
  deps: Deps,
  owner: User,
  draft: ApplicationDraft,
  trusted = false,
): Promise<Registration> => registerFor(deps, owner, { kind: "user", id: owner.id }, draft, trusted);

/**
 * Registers an application of a group.
 * @returns null when the user does not have the role Owner in the group.
 */
export const registerForGroup = async (
  deps: Deps,
  by: User,
  groupId: number,
  draft: ApplicationDraft,
): Promise<Registration | null> =>
  (await deps.hooks.isGroupOwner(deps, by, groupId))
    ? registerFor(deps, by, { kind: "group", id: groupId }, draft, false)
    : null;

async function registerFor(
  deps: Deps,
  by: User,
  owner: store.NewOwner,
  draft: ApplicationDraft,
  trusted: boolean,
): Promise<Registration> {
  const validation = validateApplication(draft, allowsPlainHttp(deps), undefined, instanceNamesOf(deps));
  if ("problems" in validation) return validation;
  const { input } = validation;
  await publishKeyFor(deps, input.tokens);
  const uid = Buffer.from(deps.randomBytes(32)).toString("hex");
  const authMethod = input.authentication?.method ?? null;
  const secret = hasSecrets({ ...input, authMethod }) ? newSecret(deps, { uid, authMethod }) : null;
  const application = await deps.transaction(async (within) => {
    const inserted = await store.insert(within, {
      ...input,
      uid,
      trusted,
      owner,
      secret: secret?.stored ?? null,
      now: within.clock(),
    });
    const about = { userId: by.id, applicationId: inserted.id };
    await audit.record(within, "application.registered", { scopes: input.scopes }, about);
    await putClientCredentials(within, { ...inserted, clientCredentialsScopes: [] }, inserted, about);
    return inserted;
  });
  return { application, secret: secret?.plain ?? null };
}

/**
 * Publishes the signing key that the given token options select, so that clients can read the key before the
 * key signs its first token.
 */
export async function publishKeyFor(deps: Deps, options: TokenOptions | undefined): Promise<void> {
  if (options === undefined) return;
  const signs = options.accessTokenFormat === "jwt" || options.idTokenAlgorithm !== "RS256";
  if (signs) await publishFirstKey(deps, options.idTokenAlgorithm);
}

/** Returns every application of the instance. */
export const listAll = (deps: Deps): Promise<readonly ShownApplication[]> => listStore.list(deps.reads);

/**
 * Returns an application that the user manages, with an up-to-date time of its last use; null if the user
 * manages no application with this id.
 */
export async function findOwn(deps: Deps, user: User, id: number): Promise<ManagedApplication | null> {
  await writeLastUses(deps);
  return findManaged(deps, user, id);
}

/**
 * Returns the client authentication settings of an application that a user manages, for the form that edits
 * the application.
 */
export async function authenticationOf(
  deps: Deps,
  application: ManagedApplication,
): Promise<ClientAuthenticationDraft> {
  const keys = await store.keysOf(deps.db, application.id);
  return {
    method: application.authMethod ?? "",
    jwks: keys?.jwks ? JSON.stringify(JSON.parse(keys.jwks), null, 2) : "",
    jwksUri: keys?.jwksUri ?? "",
  };
}

/** Returns the application with this `client_id`; null for an unknown `client_id`. */
export const findByUid = (deps: Deps, uid: string): Promise<ShownApplication | null> =>
  store.findByUid(deps.reads, uid);

/** Returns the application with this id; null for an unknown id. */
export const findById = (deps: Deps, id: number): Promise<ShownApplication | null> =>
  store.findById(deps.reads, id);

/** Returns the names of the applications with these ids, keyed by the id of the application. */
export const namesOf = (deps: Deps, ids: readonly number[]): Promise<ReadonlyMap<number, string>> =>
  store.names(deps.reads, ids);

/** Returns the path of the logo of an application; null for an application without a logo. */
export async function logoOf(deps: Deps, applicationId: number): Promise<string | null> {
  const digest = await logoStore.findLogoDigest(deps.db, applicationId);
  return digest && logoUrl(applicationId, digest);
}

/** Returns the paths of the logos of these applications, keyed by the id of the application. */
export async function logosOf(deps: Deps, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const logos = await logoDigests(deps.reads, ids);
  return new Map(logos.map(({ id, digest }) => [id, logoUrl(id, digest)]));
}

/**
 * Changes an application that a user manages. An application that becomes public loses its secrets. An
 * application that becomes confidential gets a secret.
 * @returns the application with its new secret, if any, or the error messages by field; null when the user
 * does not manage the application.
 */
export async function change(
  deps: Deps,
  by: User,
  id: number,
  draft: ApplicationDraft,
): Promise<Registration | null> {
  await publishKeyFor(deps, draft.tokens);
  return deps.transaction(async (within) => {
    const managed = await lockManaged(within, by, id);
    if (managed === null) return null;
    const { right: _right, ...before } = managed;
    return applyDraft(within, by, before, draft, { userId: by.id, applicationId: id });
  });
}

/**
 * Applies a draft to an application whose row is locked. Call this function in the transaction that locked
 * the row of the application.
 * @param plainHttp whether http redirect URIs are accepted, for example because the application already has
 * such a URI.
 */
export async function applyDraft(
  within: Deps,
  by: User,
  before: ShownApplication,
  draft: ApplicationDraft,
  about: audit.About,
  plainHttp = allowsPlainHttp(within),
): Promise<Registration> {
  const { id } = before;
  const validation = validateApplication(draft, plainHttp, before.name, instanceNamesOf(within));
  if ("problems" in validation) return validation;
  const { input } = validation;
  const keysBefore = await store.keysOf(within.db, id);
  await store.update(within.db, id, input);
  await audit.record(within, "application.changed", {}, about);
  const permissions = await keepTrust(within, by, before, input);
  const { authentication, ...changed } = input;
  const authMethod = authentication === undefined ? before.authMethod : authentication.method;
  const application = { ...before, ...changed, authMethod, ...permissions };
  const keys = authentication ?? keysBefore;
  const hasNewKeys = keys?.jwks !== keysBefore?.jwks || keys?.jwksUri !== keysBefore?.jwksUri;
  if (authMethod !== before.authMethod || hasNewKeys)
    await audit.record(within, "application.authentication_changed", { method: authMethod }, about);
  await putClientCredentials(within, before, application, about);
  return { application, secret: await renewSecrets(within, before, application, within.clock()) };
}

/** Records a change of the client credentials grant of an application, and adapts the bot of the application. */
async function putClientCredentials(
  within: Deps,
  before: Application,
  after: Application,
  about: audit.About,
): Promise<void> {
  const scopes = after.clientCredentialsScopes;
  await putBot(within, after, before.clientCredentialsScopes);
  if (scopes.join(" ") === before.clientCredentialsScopes.join(" ")) return;
  await audit.record(within, "application.client_credentials_changed", { scopes }, about);
}

/**
 * Adapts the secrets of an application to the changed type and authentication method of the application. An
 * application that signs with its secret gets a new secret, because the server stores only the digests of the
 * earlier secrets.
 * @returns the new secret in plain text; null when no secret was created.
 */
async function renewSecrets(
  deps: Deps,
  before: Application,
  after: Application,
  now: Date,
): Promise<string | null> {
  const signs = after.authMethod === "client_secret_jwt";
  const needsNew =
    hasSecrets(after) && (!hasSecrets(before) || (signs && before.authMethod !== after.authMethod));
  if (!hasSecrets(after) || needsNew) await secretStore.removeSecrets(deps.db, after.id);
  else if (before.authMethod === "client_secret_jwt" && !signs)
    await secretStore.discardSealedSecrets(deps.db, after.id);
  if (!needsNew) return null;
  const secret = newSecret(deps, after);
  await secretStore.insertSecret(deps.db, after.id, secret.stored, now);
  return secret.plain;
}

/**
 * Adds a redirect URI to an application that a user manages.
 * @returns false when the URI cannot be registered, or the user does not manage the application.
 */
export const addRedirectUri = (deps: Deps, by: User, id: number, uri: string): Promise<boolean> =>
  deps.transaction(async (within) => {
    const before = await lockManaged(within, by, id);
    if (before === null) return false;
    const draft = { ...before, redirectUris: [...before.redirectUris, uri].join("\n") };
    if (redirectUriProblem(uri, allowsPlainHttp(within)) !== null) return false;
    // The validation allows http for the existing redirect URIs, so that these URIs stay registered.
    // `/oauth/authorize` refuses insecure redirect URIs.
    const validation = validateApplication(draft, true, before.name);
    if ("problems" in validation) return false;
    await store.update(within.db, id, validation.input);
    await audit.record(within, "application.changed", {}, { userId: by.id, applicationId: id });
    await keepTrust(within, by, before, validation.input);
    return true;
  });

/**
 * Returns whether a changed application is still trusted, and whether the application is still a resource
 * server. An application is no longer trusted when a user who is not an administrator adds a scope or a
 * redirect URI. The administrator trusted only the earlier scopes and redirect URIs. An application with a
 * new scope is also no longer a resource server, because otherwise the application could introspect more
 * tokens. The function removes each lost permission from the stored application and records an audit event.
 */
async function keepTrust(
  deps: Deps,
  by: User,
  before: Application,
  after: Pick<Application, "scopes" | "redirectUris">,
): Promise<Pick<Application, "trusted" | "resourceServer">> {
  const hasNewScope = after.scopes.some((scope) => !before.scopes.includes(scope));
  const widened = hasNewScope || after.redirectUris.some((uri) => !before.redirectUris.includes(uri));
  const about = { userId: by.id, applicationId: before.id };
  const trusted = before.trusted && (by.admin || !widened);
  if (before.trusted && !trusted) {
    await store.endTrust(deps.db, before.id);
    await audit.record(deps, "application.trust_changed", { trusted }, about);
  }
  const resourceServer = before.resourceServer && (by.admin || !hasNewScope);
  if (before.resourceServer && !resourceServer) {
    await store.setResourceServer(deps.db, before.id, false);
    await audit.record(deps, "application.resource_server_changed", { resourceServer }, about);
  }
  return { trusted, resourceServer };
}

/**
 * Deletes an application with its authorization codes and tokens. The second maintainer of an application
 * cannot delete it.
 * @returns the deleted application; null when the user does not own the application.
 */
export const remove = (deps: Deps, by: User, id: number): Promise<ManagedApplication | null> =>
  deps.transaction(async (within) => {
    const application = await lockManaged(within, by, id, "own");
    if (application === null) return null;
    const about = { userId: by.id, applicationId: id };
    await audit.record(within, "application.removed", { name: application.name }, about);
    await removeBotOf(within, id);
    await removeWithAccess(within, id);
    return application;
  });

export type ClientRefusal =
  | "client_unknown"
  | "client_blocked"
  | "secret_missing"
  | "secret_wrong"
  | "secret_unexpected"
  /**
   * The application must authenticate with a client assertion, but the request contains no client assertion.
   */
  | "assertion_missing";

/**
 * Authenticates a client (RFC 6749 §2.3.1). For a public client, an empty secret is accepted, and every other
 * secret is refused. The last use of the application and the secret is recorded asynchronously.
 * @param secret the secret of the request; null or empty when the request has no secret.
 */
export async function authenticate(
  deps: Deps,
  uid: string,
  secret: string | null,
): Promise<{ readonly application: Application } | { readonly refused: ClientRefusal }> {
  const client = await findClientWithKeys(deps, uid);
  if (client === null) return { refused: "client_unknown" };
  const { application, secrets } = client;
  if (!application.registered && (await admittedScopes(deps, application)).length === 0)
    return { refused: "client_unknown" };
  if (application.authMethod !== null) return { refused: "assertion_missing" };
  if (!application.confidential && secret) return { refused: "secret_unexpected" };
  if (application.confidential && !secret) return { refused: "secret_missing" };
  const used = secret ? secrets.find((stored) => matches(secret, stored.digest)) : undefined;
  if (application.confidential && used === undefined) return { refused: "secret_wrong" };
  if (isBlocked(application)) return { refused: "client_blocked" };
  recordClientUse(deps, application, used);
  return { application };
}

/** A client with the secrets and public keys that can authenticate it. */
export type ClientWithKeys = ReturnType<typeof clientFrom>;

/** Returns the client with this `client_id`, by one prepared statement; null for an unknown `client_id`. */
export const findClientWithKeys = (deps: Deps, uid: string): Promise<ClientWithKeys | null> =>
  findClient(deps.prepared, uid, clientFrom);

/** Records the last use of an authenticated application and of its secret, asynchronously. */
export function recordClientUse(
  deps: Deps,
  application: Application,
  secret?: Readonly<{ id: number; lastUsedAt: Date | null }>,
): void {
  enqueueUse(deps, "application", application);
  if (secret !== undefined) enqueueUse(deps, "clientSecret", secret);
}
