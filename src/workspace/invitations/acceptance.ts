import type { User } from "@/access/principal";
import { instanceNamesOf } from "@/identity/users/new-password";
import { newUsernameProblem } from "@/identity/users/rules";
import { create, type FieldErrors } from "@/identity/users/service";
import * as audit from "@/instance/audit/service";
import type { Deps } from "@/kernel/deps/deps";
import { addMember, findMember } from "../members/service";
import { type OpenedInvitation, openInvitation } from "./service";
import * as store from "./store";

/** Returns whether a user may accept an invitation: only the user with the invited and confirmed e-mail address. */
export const isInvited = (user: User, { invitation }: OpenedInvitation): boolean =>
  user.emailVerified && user.email.toLowerCase() === invitation.email.toLowerCase();

/**
 * Accepts the invitation of a link for an existing user.
 * @returns the path of the project or group; null if the link is invalid or belongs to another user.
 */
export const acceptAsUser = (deps: Deps, token: string, user: User): Promise<string | null> =>
  deps.transaction(async (within) => {
    const opened = await openInvitation(within, token);
    if (opened === null || !isInvited(user, opened)) return null;
    return (await accept(within, opened, user)) ? pathOf(opened) : null;
  });

/** The values of the form of a new user. Without a password, the user adds a passkey after the creation. */
export type NewMemberForm = Readonly<{
  username: string;
  name: string;
  password: string | null;
  ipAddress: string;
}>;

export type Acceptance =
  | Readonly<{ user: User; path: string }>
  | Readonly<{ problems: FieldErrors }>
  | "invalid";

/** The error that rolls back an acceptance whose account could not be created. */
class NotCreated extends Error {
  readonly problems: FieldErrors;
  constructor(problems: FieldErrors) {
    super("The account was not created.");
    this.problems = problems;
  }
}

/**
 * Accepts the invitation of a link for a new user: creates the account, whose e-mail address the link confirms, and the
 * membership. Closed registration and required approval do not apply to invited users.
 * @throws PasswordsBusy when too many passwords are being hashed simultaneously.
 */
export async function acceptAsNewUser(deps: Deps, token: string, form: NewMemberForm): Promise<Acceptance> {
  const problem = newUsernameProblem(form.username, instanceNamesOf(deps));
  if (problem !== null) return { problems: { username: problem } };
  try {
    return await deps.transaction(async (within) => {
      const opened = await openInvitation(within, token);
      if (opened === null) return "invalid";
      const password = form.password ?? Buffer.from(within.randomBytes(24)).toString("base64url");
      const { username, name } = form;
      const created = await create(within, { username, name, email: opened.invitation.email, password });
      if ("problems" in created) throw new NotCreated(created.problems);
      const { user } = created;
      await audit.record(within, "user.registered", { address: form.ipAddress }, { userId: user.id });
      if (!(await accept(within, opened, user))) return "invalid";
      return { user, path: pathOf(opened) };
    });
  } catch (cause) {
    if (cause instanceof NotCreated) return { problems: cause.problems };
    throw cause;
  }
}

/** Claims the invitation and adds the membership, in the transaction of `deps`. */
async function accept(
  deps: Deps,
  { invitation, target, inviter, held }: OpenedInvitation,
  user: User,
): Promise<boolean> {
  if (!(await store.remove(deps.db, invitation.id, invitation.sentAt))) return false;
  const { email, role, membershipExpiresAt: expiresAt } = invitation;
  const to = target.kind === "instance" ? "the instance" : `the ${target.kind} ${target.fullPath}`;
  await audit.record(deps, "invitation.accepted", { email, to }, { userId: user.id });
  // A user who already is a member, or who inherits a higher role, keeps the role.
  if (target.kind !== "instance" && role !== null && (await findMember(deps, target, user.id)) === null)
    await addMember(deps, { resource: target, by: inviter, held }, user, { role, expiresAt });
  return true;
}

const pathOf = ({ target }: OpenedInvitation): string =>
  target.kind === "instance" ? "/" : `/${target.kind}s/${target.id}`;
