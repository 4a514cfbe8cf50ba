import type { User } from "@/access/principal";
import type { Provider } from "@/identity/providers/rules";
import { enforcedProvider } from "@/identity/providers/service";
import { instanceNamesOf } from "@/identity/users/new-password";
import { newUsernameProblem } from "@/identity/users/rules";
import { type FieldErrors, insertPrepared, prepare, takenProblem } from "@/identity/users/service";
import * as audit from "@/instance/audit/service";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import { addMember, findMember } from "../members/service";
import { type OpenedInvitation, openInvitation } from "./service";
import * as store from "./store";

/**
 * Returns whether a user may accept an invitation. The confirmed e-mail address of the user must be the
 * invited e-mail address.
 */
export const isInvited = (user: User, { invitation }: OpenedInvitation): boolean =>
  user.emailVerified && user.email.toLowerCase() === invitation.email.toLowerCase();

/**
 * Accepts the invitation of an opened link for an existing user.
 * @returns the path of the project or group; null if the link is invalid or belongs to another user.
 */
export const acceptAsUser = (deps: Deps, token: string, user: User): Promise<string | null> =>
  deps.transaction(async (within) => {
    const opened = await openInvitation(within, token);
    if (opened === null || !isInvited(user, opened)) return null;
    if (!(await claim(within, opened))) return null;
    await join(within, opened, user);
    return pathOf(opened);
  });

/**
 * The values of the form with which an invited person creates an account. If the password is missing, the
 * user adds a passkey after the account is created.
 */
export type NewMemberForm = Readonly<{
  username: string;
  name: string;
  password: string | null;
  ipAddress: string;
}>;

/**
 * The result of the acceptance of an invitation. `enforced` is the provider with which the invited person
 * must sign in instead of creating an account.
 */
export type Acceptance =
  | Readonly<{ user: User; path: string }>
  | Readonly<{ problems: FieldErrors }>
  | Readonly<{ enforced: Provider }>
  | "invalid";

/**
 * Accepts the invitation of an opened link for a new user: creates the account and the membership. The e-mail
 * address of the account counts as confirmed, because the user opened the link in the e-mail. Closed
 * registration and required approval do not apply to invited users.
 * @throws PasswordsBusy when too many passwords are being hashed simultaneously.
 */
export async function acceptAsNewUser(deps: Deps, token: string, form: NewMemberForm): Promise<Acceptance> {
  const problem = newUsernameProblem(form.username, instanceNamesOf(deps));
  if (problem !== null) return { problems: { username: problem } };
  const opened = await openInvitation(deps, token);
  if (opened === null) return "invalid";
  const { email } = opened.invitation;
  const enforced = await enforcedProvider(deps, email);
  if (enforced !== null) return { enforced };
  const { username, name } = form;
  const password = form.password ?? Buffer.from(deps.randomBytes(24)).toString("base64url");
  const prepared = await prepare(deps, { username, name, email, password });
  if ("problems" in prepared) return { problems: prepared.problems };
  try {
    return await deps.transaction(async (within) => {
      const current = await openInvitation(within, token);
      // The function deletes the invitation first, because a revoked invitation must not leave an account
      // behind.
      if (current === null || !(await claim(within, current))) return "invalid";
      const user = await insertPrepared(within, prepared);
      await audit.record(within, "user.registered", { address: form.ipAddress }, { userId: user.id });
      await join(within, current, user);
      return { user, path: pathOf(current) };
    });
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause;
    return { problems: (await takenProblem(deps, { username, email })).problems };
  }
}

/** Deletes the invitation of a link. @returns true for exactly one of several simultaneous callers. */
const claim = (deps: Deps, { invitation }: OpenedInvitation): Promise<boolean> =>
  store.remove(deps.db, invitation.id, invitation.sentAt);

/** Adds the membership that an accepted invitation offers, in the transaction that `deps` contains. */
async function join(
  deps: Deps,
  { invitation, target, inviter, held }: OpenedInvitation,
  user: User,
): Promise<void> {
  const { email, role, membershipExpiresAt: expiresAt } = invitation;
  const to = target.kind === "instance" ? "the instance" : `the ${target.kind} ${target.fullPath}`;
  await audit.record(deps, "invitation.accepted", { email, to }, { userId: user.id });
  // A user who is already a member, or who inherits a higher role, keeps the existing role.
  if (target.kind !== "instance" && role !== null && (await findMember(deps, target, user.id)) === null)
    await addMember(deps, { resource: target, by: inviter, held }, user, { role, expiresAt });
}

const pathOf = ({ target }: OpenedInvitation): string =>
  target.kind === "instance" ? "/" : `/${target.kind}s/${target.id}`;
