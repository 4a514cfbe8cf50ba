import type { User } from "@/access/principal";
import { isRole, type Role } from "@/access/roles";
import { GROUP_RULE, type ProviderSettings } from "@/kernel/config/identity-providers";

/** An external identity provider with which users sign in. */
export type Provider = ProviderSettings &
  Readonly<{
    enabled: boolean;
    /** Whether environment variables define the provider, so that pages cannot change it. */
    fromEnvironment: boolean;
  }>;

/** Returns the domain of an e-mail address in lower case. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf("@") + 1).toLowerCase();

/**
 * Returns whether an external identity provider accepts users with this verified e-mail address.
 * @param email null for a user without a verified e-mail address.
 */
export const acceptsEmail = (provider: Pick<Provider, "allowedDomains">, email: string | null): boolean =>
  provider.allowedDomains.length === 0 ||
  (email !== null && provider.allowedDomains.includes(domainOf(email)));

/**
 * Returns the provider with which users with this e-mail address must sign in; null if the users can choose a
 * sign-in method.
 */
export const enforcedFor = (providers: readonly Provider[], email: string): Provider | null =>
  providers.find(({ enabled, enforcedDomains }) => enabled && enforcedDomains.includes(domainOf(email))) ??
  null;

/**
 * Returns the provider with which this user must sign in; null if the user can choose a sign-in method.
 * Administrators always sign in with a password or a passkey instead, because otherwise nobody could
 * administer the instance while the provider is unavailable.
 */
export const enforcedForUser = (
  providers: readonly Provider[],
  user: Pick<User, "email" | "emailVerified" | "admin">,
): Provider | null => (user.admin || !user.emailVerified ? null : enforcedFor(providers, user.email));

/**
 * A rule of the group mapping. A rule gives a role in a group to users whose groups claim contains a certain
 * value.
 */
export type GroupRule = Readonly<{ value: string; group: string; role: Role }>;

/**
 * Parses the lines of a group mapping. Malformed lines are omitted. Valid settings contain no malformed
 * lines, because forms and environment variables with malformed lines are rejected.
 */
export const groupRulesOf = (provider: Pick<Provider, "groupRules">): readonly GroupRule[] =>
  provider.groupRules.flatMap((line) => {
    const { value, group, role } = GROUP_RULE.exec(line)?.groups ?? {};
    return value !== undefined && group !== undefined && role !== undefined && isRole(role)
      ? [{ value, group, role }]
      : [];
  });
