import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import type { SealedColumn } from "@/instance/secret-rotation/sealed-column";
import { PROVIDER_KINDS } from "@/kernel/config/identity-providers";
import { seal } from "@/kernel/crypto/seal";
import { openValue } from "@/kernel/crypto/sealed-value";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import { enforcedFor, enforcedForUser, type Provider } from "./rules";
import * as store from "./store";
import { PROVIDERS_MAX, type ProviderRow, readAll } from "./store.sql";

/**
 * Returns all external identity providers: first the providers that environment variables define, and then
 * the stored providers. The function runs one query.
 */
export async function listProviders(deps: Pick<Deps, "config" | "prepared">): Promise<readonly Provider[]> {
  const configured = deps.config.identityProviders.map(({ clientSecret: _, ...provider }) => ({
    ...provider,
    enabled: true,
    fromEnvironment: true,
  }));
  const rows = await readAll(deps.prepared);
  const names = new Set(configured.map(({ name }) => name));
  return [...configured, ...rows.filter(({ name }) => !names.has(name)).map(providerFrom)];
}

const providerFrom = (row: ProviderRow): Provider => ({
  ...row,
  kind: PROVIDER_KINDS.find((kind) => kind === row.kind) ?? "openid_connect",
  allowedDomains: listed(row.allowedDomains, " "),
  enforcedDomains: listed(row.enforcedDomains, " "),
  groupRules: listed(row.groupRules, "\n"),
  fromEnvironment: false,
});

const listed = (text: string, separator: string): readonly string[] =>
  text === "" ? [] : text.split(separator);

/** Returns the external identity provider with this name; null if there is no such provider. */
export const findProvider = async (
  deps: Pick<Deps, "config" | "prepared">,
  name: string,
): Promise<Provider | null> => (await listProviders(deps)).find((provider) => provider.name === name) ?? null;

/** Returns the external identity providers with which users can sign in. */
export const enabledProviders = async (
  deps: Pick<Deps, "config" | "prepared">,
): Promise<readonly Provider[]> => (await listProviders(deps)).filter(({ enabled }) => enabled);

/**
 * Returns the provider with which users with this e-mail address must sign in; null if the users can choose a
 * sign-in method.
 */
export const enforcedProvider = async (
  deps: Pick<Deps, "config" | "prepared">,
  email: string,
): Promise<Provider | null> => enforcedFor(await listProviders(deps), email);

/**
 * Returns the provider with which this user must sign in; null for a user who can choose a sign-in method,
 * and for administrators.
 */
export const enforcedProviderOf = async (
  deps: Pick<Deps, "config" | "prepared">,
  user: Pick<User, "email" | "emailVerified" | "admin">,
): Promise<Provider | null> => enforcedForUser(await listProviders(deps), user);

/**
 * Returns the client secret with which Gatehouse authenticates at an external identity provider.
 * @throws an Error if the secret was encrypted with another instance secret.
 */
export async function clientSecretOf(deps: Deps, { name, fromEnvironment }: Provider): Promise<string> {
  const secret = fromEnvironment
    ? deps.config.identityProviders.find((provider) => provider.name === name)?.clientSecret
    : openValue(deps.keys, purposeOf(name), (await store.findSealedSecret(deps.db, name)) ?? "");
  if (!secret) throw new Error(`The client secret of the provider ${name} cannot be decrypted.`);
  return secret;
}

const purposeOf = (name: string): string => `identity_provider ${name}`;

const sealed = (deps: Deps, name: string, secret: string): string =>
  seal(deps.randomBytes, deps.keys.sealing, purposeOf(name), secret);

/**
 * Creates an external identity provider, as an administrator.
 * @returns null on success; `taken` if another provider has the name; `too_many` if there are `PROVIDERS_MAX` providers.
 */
export async function createProvider(
  deps: Deps,
  by: User,
  provider: store.StoredProvider,
  clientSecret: string,
): Promise<"taken" | "too_many" | null> {
  if ((await findProvider(deps, provider.name)) !== null) return "taken";
  if ((await store.count(deps.db)) >= PROVIDERS_MAX) return "too_many";
  try {
    await deps.transaction(async (within) => {
      const sealedSecret = sealed(within, provider.name, clientSecret);
      await store.insert(within.db, { ...provider, sealedSecret, createdAt: within.clock() });
      await recordAudit(within, "identity_provider.created", provider, by);
    });
    return null;
  } catch (cause) {
    if (isUniqueViolation(cause)) return "taken";
    throw cause;
  }
}

/**
 * Changes an external identity provider, as an administrator. The name and the kind of a provider cannot
 * change.
 * @param clientSecret the new secret; null to keep the stored secret.
 * @returns false if the provider does not exist.
 */
export const updateProvider = (
  deps: Deps,
  by: User,
  provider: store.StoredProvider,
  clientSecret: string | null,
): Promise<boolean> =>
  deps.transaction(async (within) => {
    const secret = clientSecret === null ? null : sealed(within, provider.name, clientSecret);
    if (!(await store.update(within.db, provider, secret))) return false;
    await recordAudit(within, "identity_provider.changed", provider, by);
    return true;
  });

/**
 * Locks a provider until the transaction of `deps` ends. A provider that environment variables define has no
 * row to lock.
 * @returns false if the provider no longer exists.
 */
export const lockProvider = async (
  deps: Pick<Deps, "db">,
  { name, fromEnvironment }: Provider,
): Promise<boolean> => fromEnvironment || store.lock(deps.db, name);

/**
 * Deletes an external identity provider, as an administrator.
 * @returns false if the provider does not exist.
 */
export const deleteProvider = (deps: Deps, by: User, provider: Provider): Promise<boolean> =>
  deps.transaction(async (within) => {
    if (!(await store.remove(within.db, provider.name))) return false;
    await recordAudit(within, "identity_provider.removed", provider, by);
    return true;
  });

const recordAudit = (
  deps: Deps,
  name: "identity_provider.created" | "identity_provider.changed" | "identity_provider.removed",
  { name: provider, issuer, enabled, linksByEmail, createsAccounts }: store.StoredProvider,
  by: User,
): Promise<void> =>
  audit.record(
    deps,
    name,
    { provider, issuer, enabled, linksByEmail, createsAccounts },
    { userId: null, actorId: by.id },
  );

/**
 * The encrypted client secrets of providers. A rotation of the instance secret encrypts these client secrets
 * again.
 */
export const sealedProviderSecrets: SealedColumn = {
  column: "IdentityProvider.sealedSecret",
  list: store.listSealed,
  purpose: purposeOf,
  replace: store.replaceSealed,
};
