import type { User } from "@/access/principal";

/** Characters that a Git author or committer name cannot contain. */
const NOT_IN_A_NAME = /[<>\p{Cc}]/gu;

const NOREPLY_DOMAIN = "users.noreply.";

/**
 * Returns the noreply e-mail address of a user, which the server uses in commits that it creates. The noreply
 * address receives no mail and keeps the user's own e-mail address private. The noreply address contains the
 * user id, so it stays valid when the username changes.
 */
export const noreplyEmail = ({ id, username }: Pick<User, "id" | "username">, host: string): string =>
  `${id}-${username}@${NOREPLY_DOMAIN}${host}`;

/** Returns the id of the user in a noreply e-mail address; null for any other e-mail address. */
export function noreplyUserId(email: string, host: string): number | null {
  const [, id] = /^(\d{1,9})-[^@]+@/.exec(email) ?? [];
  return id !== undefined && email.toLowerCase().endsWith(`@${NOREPLY_DOMAIN}${host}`.toLowerCase())
    ? Number(id)
    : null;
}

export type CommitSignature = Readonly<{ name: string; email: string; date: string }>;

/**
 * Returns the author or committer of a commit that the server creates. The username replaces a name that Git
 * refuses, such as a name without letters.
 */
export function signatureOf(user: User, host: string, at: Date): CommitSignature {
  const name = user.name.replace(NOT_IN_A_NAME, "").trim();
  return {
    name: /[\p{L}\p{N}]/u.test(name) ? name : user.username,
    email: noreplyEmail(user, host),
    date: `${Math.floor(at.getTime() / 1_000)} +0000`,
  };
}
