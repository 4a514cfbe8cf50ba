import type { User } from "@/access/principal";

/** Characters that the name of an author or committer cannot hold in Git. */
const NOT_IN_A_NAME = /[<>\p{Cc}]/gu;

const NOREPLY_DOMAIN = "users.noreply.";

/**
 * The e-mail address with which the server signs commits for a user. No mail reaches it, and the real address stays
 * unpublished. The id keeps it the user's own when the username changes.
 */
export const noreplyEmail = ({ id, username }: Pick<User, "id" | "username">, host: string): string =>
  `${id}-${username}@${NOREPLY_DOMAIN}${host}`;

/** The id of the user for whom the server signed with this e-mail address; null for any other address. */
export function noreplyUserId(email: string, host: string): number | null {
  const [, id] = /^(\d{1,9})-[^@]+@/.exec(email) ?? [];
  return id !== undefined && email.toLowerCase().endsWith(`@${NOREPLY_DOMAIN}${host}`.toLowerCase())
    ? Number(id)
    : null;
}

export type CommitSignature = Readonly<{ name: string; email: string; date: string }>;

/** The author or committer of a commit that the server creates. Git refuses a name without any letter. */
export function signatureOf(user: User, host: string, at: Date): CommitSignature {
  const name = user.name.replace(NOT_IN_A_NAME, "").trim();
  return {
    name: /[\p{L}\p{N}]/u.test(name) ? name : user.username,
    email: noreplyEmail(user, host),
    date: `${Math.floor(at.getTime() / 1_000)} +0000`,
  };
}
