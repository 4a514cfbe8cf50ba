import { canSignIn, type User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import { type GroupRule, groupRulesOf, type Provider } from "../providers/rules";
import {
  deleteProvider,
  enabledProviders,
  enforcedProviderOf,
  findProvider,
  listProviders,
  lockProvider,
} from "../providers/service";
import { hasPassword } from "../users/profile";
import { createProviderAccount, freeUsername } from "../users/provider-account";
import * as users from "../users/service";
import {
  decideSignIn,
  type Identity,
  type IdentityRefusal,
  refusalOf,
  type SignInDecision,
  suggestedUsername,
  usernameCandidates,
  verifiedEmail,
} from "./rules";
import { type MappedRoles, readMappedRoles } from "./schema";
import * as store from "./store";
import { accountsOf, type IdentityRow, type LinkedAccount, listOfUsers } from "./store.sql";

declare module "@/kernel/deps/deps" {
  interface Hooks {
    /**
     * Gives a user the roles that these rules of the group mapping define. Roles that the group mapping gave
     * earlier are removed if no rule defines these roles now. Memberships that the group mapping did not
     * create stay unchanged.
     * @param before the roles that the group mapping gave earlier.
     * @returns the roles that the user now has from the group mapping.
     */
    providerRoles: (
      deps: Deps,
      user: User,
      rules: readonly GroupRule[],
      before: MappedRoles,
    ) => Promise<MappedRoles>;
  }
}

export type ProviderSignInOutcome = users.UserWithStamp | Readonly<{ refused: IdentityRefusal }>;

/**
 * The maximum number of attempts to sign a user in. An attempt can fail because of a simultaneous request.
 */
const ATTEMPTS = 3;

/**
 * Finds, links or creates the account of a user who has authenticated at an external identity provider. The
 * function does not create a session.
 * @param ipAddress the IP address of the request, for the audit log.
 */
export async function accountOf(
  deps: Deps,
  provider: Provider,
  identity: Identity,
  ipAddress: string,
): Promise<ProviderSignInOutcome> {
  const from = { address: ipAddress, provider: provider.name };
  const user = await withRetries(deps, provider, identity, ipAddress);
  if (typeof user === "string") {
    const linked = await store.find(deps.db, identity);
    const about = { userId: linked?.userId ?? null };
    await audit.record(deps, "provider_sign_in.refused", { ...from, reason: user }, about);
    return { refused: user };
  }
  const row = await users.findWithStamp(deps, user.id);
  if (row === null) return { refused: "blocked" };
  if (!canSignIn(row.user.state)) return { refused: refusalOf(row.user) };
  await audit.record(deps, "provider_sign_in.verified", from, { userId: row.user.id });
  await recordUse(deps, provider, identity, row.user);
  return row;
}

async function withRetries(
  deps: Deps,
  provider: Provider,
  identity: Identity,
  ipAddress: string,
): Promise<User | IdentityRefusal> {
  for (let attempt = 1; ; attempt++)
    try {
      const decision = await decide(deps, provider, identity);
      if (decision.kind === "refused") return decision.reason;
      if (decision.kind === "sign_in") return decision.user;
      if (decision.kind === "create") return await createAccount(deps, identity, ipAddress, attempt);
      const user = await linkByEmail(deps, provider, identity, decision.user);
      if (user !== null) return user;
      if (attempt === ATTEMPTS) return "account_exists";
    } catch (cause) {
      // After the call of `decide`, another request may have linked the identity, or used the username or the
      // e-mail address for another account.
      if (!isUniqueViolation(cause) || attempt === ATTEMPTS) throw cause;
    }
}

/**
 * Decides how a user signs in. The link is read after the owner of the e-mail address. A simultaneous request
 * that creates or links the account of the owner is thus never mistaken for another user with the same e-mail
 * address.
 */
async function decide(deps: Deps, provider: Provider, identity: Identity): Promise<SignInDecision> {
  const email = verifiedEmail(identity);
  const owner = email === null ? null : ((await users.findByEmailWithStamp(deps, email))?.user ?? null);
  const emailOwner = owner && { user: owner, isLinked: await store.isLinked(deps.db, owner.id, identity) };
  const link = await store.find(deps.db, identity);
  const linked = link === null ? null : await users.findById(deps, link.userId);
  return decideSignIn(provider, identity, { linked, emailOwner, providers: await listProviders(deps) });
}

/**
 * Links an account at a provider to the user with the same verified e-mail address. The function locks the
 * user, and then decides again.
 * @returns null if the user can no longer be linked, for example because a simultaneous request has linked the
 * same account.
 */
const linkByEmail = (deps: Deps, provider: Provider, identity: Identity, owner: User): Promise<User | null> =>
  deps.transaction(async (within) => {
    await users.lock(within, owner.id);
    const decision = await decide(within, provider, identity);
    if (decision.kind !== "link" || decision.user.id !== owner.id) return null;
    await insertLink(within, decision.user, identity, "email");
    return decision.user;
  });

/**
 * Creates an account for a user who signs in for the first time. After a failed attempt, the username is
 * random, because simultaneous requests of users with the same suggested username would all choose the same
 * next number.
 */
async function createAccount(
  deps: Deps,
  identity: Identity,
  ipAddress: string,
  attempt: number,
): Promise<User> {
  const random = Buffer.from(deps.randomBytes(4)).toString("hex");
  const suggested = suggestedUsername(identity);
  const candidates =
    attempt === 1
      ? [...usernameCandidates(suggested, random), ...usernameCandidates("user", random)]
      : [`${suggested}-${random}`];
  const username = (await freeUsername(deps, candidates)) ?? `user-${random}`;
  return deps.transaction(async (within) => {
    const emailVerified = verifiedEmail(identity) !== null;
    const user = await createProviderAccount(within, { ...identity, emailVerified, username, ipAddress });
    await insertLink(within, user, identity, "new_account");
    return user;
  });
}

async function insertLink(
  deps: Deps,
  user: User,
  identity: Identity,
  by: "user" | "email" | "new_account",
): Promise<void> {
  const account = accountLabel(identity);
  await store.insert(deps.db, user.id, { ...identity, account }, deps.clock());
  const details = { provider: identity.provider, account };
  // The audit event about the link also causes a notice to the user.
  await audit.record(deps, "identity.linked", { ...details, by }, { userId: user.id });
}

const ACCOUNT_CHARACTERS_MAX = 255;

/** Returns the text by which a user recognizes an account at a provider. */
export const accountLabel = ({ email, username, subject }: Identity): string =>
  [...(email ?? username ?? subject)].slice(0, ACCOUNT_CHARACTERS_MAX).join("");

/** Records the sign-in, and gives the user the roles of the group mapping. */
async function recordUse(deps: Deps, provider: Provider, identity: Identity, user: User): Promise<void> {
  const link = await store.find(deps.db, identity);
  if (link === null) return;
  await store.recordUse(deps.db, link.id, accountLabel(identity), deps.clock());
  if (provider.groupsClaim === "" || identity.groups === null) return;
  const values = new Set(identity.groups);
  const rules = groupRulesOf(provider).filter(({ value }) => values.has(value));
  if (rules.length === 0 && link.mappedRoles === NO_ROLES) return;
  await deps.transaction(async (within) => {
    // The lock on the provider prevents a simultaneous deletion of the provider. Without the lock, the user
    // could keep roles of a deleted provider, and no later sign-in could remove these roles.
    if (!(await lockProvider(within, provider))) return;
    await changeMappedRoles(within, link.id, user, rules);
  });
}

/** The stored value for a linked account whose user has no roles from the group mapping. */
const NO_ROLES = "{}";

/**
 * Replaces the roles that the group mapping gave to a user by the roles that these rules define, in the
 * transaction of `deps`. The function locks the user, so that simultaneous sign-ins and removals do not
 * overwrite each other's roles.
 */
async function changeMappedRoles(
  deps: Deps,
  linkId: number,
  user: User,
  rules: readonly GroupRule[],
): Promise<void> {
  await users.lock(deps, user.id);
  const mappedRoles = await store.mappedRolesOf(deps.db, linkId);
  if (mappedRoles === null) return;
  const after = await deps.hooks.providerRoles(deps, user, rules, readMappedRoles(mappedRoles));
  await store.setMappedRoles(deps.db, linkId, JSON.stringify(after));
}

/** The result of linking an account, after the signed-in user confirmed the link. */
export type LinkOutcome = "linked" | "linked_to_other" | "has_other";

/**
 * Links an account at a provider to the signed-in user, who confirmed the link.
 * @returns `linked_to_other` if another user has the account; `has_other` if the user is linked to another account at the
 * same provider.
 */
export async function linkIdentity(deps: Deps, user: User, identity: Identity): Promise<LinkOutcome> {
  try {
    return await deps.transaction(async (within) => {
      await users.lock(within, user.id);
      const link = await store.find(within.db, identity);
      if (link !== null) return link.userId === user.id ? "linked" : "linked_to_other";
      if (await store.isLinked(within.db, user.id, identity)) return "has_other";
      await insertLink(within, user, identity, "user");
      return "linked";
    });
  } catch (cause) {
    if (isUniqueViolation(cause)) return "linked_to_other";
    throw cause;
  }
}

/** Returns whether an account at a provider is linked to this user. */
export const isLinkedTo = async (deps: Deps, user: User, identity: Identity): Promise<boolean> =>
  (await store.find(deps.db, identity))?.userId === user.id;

/** A linked account with its provider; null if the provider no longer exists, is disabled, or has another issuer. */
export type OwnLinkedAccount = LinkedAccount & Readonly<{ usable: Provider | null }>;

/** Returns the linked accounts of a user, with their providers. */
export async function linkedAccountsOf(deps: Deps, userId: number): Promise<readonly OwnLinkedAccount[]> {
  const rows = await accountsOf(deps.reads, userId);
  const providers = await enabledProviders(deps);
  return rows.map((row) => ({
    ...row,
    usable: providers.find(({ name, issuer }) => name === row.provider && issuer === row.issuer) ?? null,
  }));
}

/**
 * Unlinks an account at a provider from its user, who loses the roles that the group mapping gave.
 * @returns the unlinked account; `only_way` if the user has no other way to sign in; null if the account is
 * not linked to the user. A passkey does not count as another way to sign in, because the user can remove a
 * passkey with the other second factors.
 */
export const unlinkIdentity = (
  deps: Deps,
  user: User,
  id: number,
): Promise<OwnLinkedAccount | "only_way" | null> =>
  deps.transaction(async (within) => {
    await users.lock(within, user.id);
    const accounts = await linkedAccountsOf(within, user.id);
    const account = accounts.find((candidate) => candidate.id === id);
    if (account === undefined) return null;
    const enforced = await enforcedProviderOf(within, user);
    const isWayIn = ({ usable }: OwnLinkedAccount): boolean =>
      usable !== null && (enforced === null || enforced.name === usable.name);
    const hasOtherWay =
      (enforced === null && (await hasPassword(within, user))) ||
      accounts.some((other) => other.id !== id && isWayIn(other));
    if (isWayIn(account) && !hasOtherWay) return "only_way";
    await changeMappedRoles(within, id, user, []);
    await store.remove(within.db, user.id, id);
    const details = { provider: account.provider, account: account.account };
    await audit.record(within, "identity.unlinked", details, { userId: user.id });
    return account;
  });

/** A user with the linked accounts at external identity providers. */
export type UserWithIdentities = User & Readonly<{ identities?: readonly IdentityRow[] }>;

/** Returns these users with their linked accounts at providers. The function runs one query. */
export async function withIdentities(
  { reads }: Pick<Deps, "reads">,
  rows: readonly User[],
): Promise<readonly UserWithIdentities[]> {
  if (rows.length === 0) return [];
  const identities = await listOfUsers(
    reads,
    rows.map(({ id }) => id),
  );
  if (identities.length === 0) return rows;
  return rows.map((user) => ({ ...user, identities: identities.filter(({ userId }) => userId === user.id) }));
}

/**
 * Returns the id of the user who has this account at the current issuer of a provider; null for an account
 * that is not linked.
 */
export async function userIdOf(
  deps: Pick<Deps, "db" | "config" | "prepared">,
  name: string,
  subject: string,
): Promise<number | null> {
  const provider = await findProvider(deps, name);
  if (provider === null) return null;
  return (await store.find(deps.db, { provider: name, issuer: provider.issuer, subject }))?.userId ?? null;
}

/** Returns the number of linked accounts of each provider, by the name of the provider. */
export const countLinks = (deps: Pick<Deps, "db">): Promise<ReadonlyMap<string, number>> =>
  store.countByProvider(deps.db);

/**
 * Deletes an external identity provider, as an administrator. The function removes the roles that the group
 * mapping of the provider gave to users, and unlinks all accounts at the provider. The roles of the users are
 * removed in short transactions, because a provider may have thousands of users.
 */
export async function removeProvider(deps: Deps, by: User, provider: Provider): Promise<void> {
  await endMappedRoles(deps, provider.name);
  await deps.transaction(async (within) => {
    if (!(await deleteProvider(within, by, provider))) return;
    // Users may have signed in after the first removal of roles, so the function removes the roles again. The
    // lock on the provider blocks new sign-ins with the provider until it is deleted.
    await endMappedRoles(within, provider.name);
    await store.removeAllOf(within.db, provider.name);
  });
}

const LINKS_AT_ONCE = 100;

/**
 * Removes all roles that the group mapping of a provider gave to users, except the role of the last owner of
 * a group.
 */
async function endMappedRoles(deps: Deps, provider: string): Promise<void> {
  for (let after = 0; ; ) {
    const links = await store.listWithMappedRoles(deps.db, provider, after, LINKS_AT_ONCE);
    for (const { id, userId } of links)
      await deps.transaction(async (within) => {
        const user = await users.findById(within, userId);
        if (user !== null) await changeMappedRoles(within, id, user, []);
      });
    const last = links.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}
