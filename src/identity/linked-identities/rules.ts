import { canSignIn, isBot, type User } from "@/access/principal";
import { acceptsEmail, domainOf, enforcedFor, enforcedForUser, type Provider } from "../providers/rules";

/** The data about an account at an external identity provider, from the verified response of the provider. */
export type Identity = Readonly<{
  provider: string;
  issuer: string;
  /** The immutable identifier of the account at the issuer. */
  subject: string;
  email: string | null;
  emailVerified: boolean;
  username: string | null;
  name: string | null;
  /** The values of the groups claim; null if the provider did not send the groups of the user. */
  groups: readonly string[] | null;
}>;

/** The reason why an account at a provider cannot be used to sign in. */
export type IdentityRefusal =
  /** The account of the user is blocked. */
  | "blocked"
  /** The account waits for the approval of an administrator. */
  | "unapproved"
  /** The user must sign in with another provider. */
  | "other_provider"
  /** The e-mail address is not verified, or has a domain that is not allowed for the provider. */
  | "domain"
  /** An account with the e-mail address exists, and must be linked by its user. */
  | "account_exists"
  /** No account is linked, and the provider does not create accounts. */
  | "no_account";

export type SignInDecision =
  | Readonly<{ kind: "sign_in" | "link"; user: User }>
  | Readonly<{ kind: "create" }>
  | Readonly<{ kind: "refused"; reason: IdentityRefusal }>;

/**
 * Returns the e-mail address of an identity if the provider has verified it; null otherwise. An e-mail
 * address with a non-ASCII character does not count as verified. Some non-ASCII characters become ASCII
 * letters when they are converted to lower case, so two different e-mail addresses could become equal.
 */
export const verifiedEmail = ({
  email,
  emailVerified,
}: Pick<Identity, "email" | "emailVerified">): string | null =>
  emailVerified && email !== null && /^[\x21-\x7e]+$/.test(email) ? email : null;

/** Returns the reason why a user in this state cannot sign in. */
export const refusalOf = ({ state }: Pick<User, "state">): IdentityRefusal =>
  state === "blocked_pending_approval" ? "unapproved" : "blocked";

const refused = (reason: IdentityRefusal): SignInDecision => ({ kind: "refused", reason });

/**
 * Decides how a user signs in with an account at a provider. The account of an administrator is never linked
 * by e-mail address. A user who has already linked another account at the same provider is never found by
 * e-mail address. The provider may have reassigned the e-mail address to another person.
 * @param facts.linked the user to whom the identity is linked, or null.
 * @param facts.emailOwner the user with the verified e-mail address of the identity, or null. `isLinked` is
 * true if the owner of the e-mail address has linked another account at the same provider.
 * @param facts.providers all providers, whose enforced domains are checked.
 */
export function decideSignIn(
  provider: Provider,
  identity: Identity,
  facts: Readonly<{
    linked: User | null;
    emailOwner: Readonly<{ user: User; isLinked: boolean }> | null;
    providers: readonly Provider[];
  }>,
): SignInDecision {
  const { linked, emailOwner, providers } = facts;
  const existing = linked ?? emailOwner?.user ?? null;
  const enforced = existing === null ? null : enforcedForUser(providers, existing);
  const mustUseOther = enforced !== null && enforced.name !== provider.name;
  if (linked !== null) {
    if (!canSignIn(linked.state)) return refused(refusalOf(linked));
    return mustUseOther ? refused("other_provider") : { kind: "sign_in", user: linked };
  }
  if (!acceptsEmail(provider, verifiedEmail(identity))) return refused("domain");
  if (emailOwner !== null) {
    const { user, isLinked } = emailOwner;
    if (!provider.linksByEmail || isLinked || user.admin || isBot(user)) return refused("account_exists");
    if (!canSignIn(user.state)) return refused(refusalOf(user));
    return mustUseOther ? refused("other_provider") : { kind: "link", user };
  }
  if (!provider.createsAccounts) return refused("no_account");
  const email = verifiedEmail(identity);
  const enforcedForNew = email === null ? null : enforcedFor(providers, email);
  return enforcedForNew === null || enforcedForNew.name === provider.name
    ? { kind: "create" }
    : refused("other_provider");
}

/**
 * Returns whether a signed-in user may link an account at a provider. The verified e-mail address of the
 * account must have a domain that is allowed for the provider. If the user must sign in with this provider,
 * the e-mail address must also have an enforced domain of the provider.
 * @param enforced the provider with which the user must sign in, or null.
 */
export function mayLink(provider: Provider, identity: Identity, enforced: Provider | null): boolean {
  const email = verifiedEmail(identity);
  if (!acceptsEmail(provider, email)) return false;
  if (enforced?.name !== provider.name) return true;
  return email !== null && provider.enforcedDomains.includes(domainOf(email));
}

const USERNAME_CHARACTERS_MAX = 50;

/** Returns a username from the data of an identity, without the characters that usernames cannot contain. */
export function suggestedUsername({
  username,
  email,
  name,
}: Pick<Identity, "username" | "email" | "name">): string {
  for (const text of [username, email, name]) {
    const plain = (text ?? "")
      .split("@", 1)
      .join("")
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .replace(/[^A-Za-z0-9._-]+/g, "-")
      .replace(/^[^A-Za-z0-9]+/, "")
      .slice(0, USERNAME_CHARACTERS_MAX)
      .replace(/(\.git|\.atom|[._-])+$/i, "");
    if (plain.length > 1) return plain;
  }
  return "user";
}

/**
 * Returns the usernames to try, in this order: the suggestion, the suggestion with a number, and a random
 * username.
 */
export const usernameCandidates = (suggested: string, random: string): readonly string[] => [
  suggested,
  ...Array.from({ length: 8 }, (_, index) => `${suggested}-${index + 2}`),
  `${suggested}-${random}`,
];
