import type { User } from "@/access/principal";
import type { AuditEvents } from "@/instance/audit/catalog";
import { readSettings } from "@/instance/settings/service";
import { passwordDigest } from "@/kernel/crypto/password";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import { notify } from "../notices/service";
import { endSessionsOf } from "../sessions/service";
import { announceAccessEnded } from "./access-ended";
import { change, recordChange, type UserRefusal } from "./administration";
import { cancelPendingEmail } from "./email-confirmation";
import { instanceNamesOf, newPasswordProblem } from "./new-password";
import { emailProblem, nameProblem, newUsernameProblem, usernameProblem } from "./rules";
import type { FieldErrors } from "./service";
import * as store from "./store";
import { hasDescendantPaths, nameIsTakenByOthers } from "./top-level-names";

/** The account fields that an administrator changes. Fields that are undefined stay unchanged. */
export type AccountChanges = Readonly<{
  username?: string | undefined;
  email?: string | undefined;
  name?: string | undefined;
  password?: string | undefined;
  admin?: boolean | undefined;
  /** Whether the profile is private; null means the default of the instance. */
  privateProfile?: boolean | null | undefined;
}>;

export type AccountOutcome =
  | { readonly user: User }
  | { readonly refused: UserRefusal }
  | { readonly problems: FieldErrors }
  | { readonly taken: "email" | "username" };

/**
 * Changes a user's account, as an administrator. If one field is invalid, no field of the account is changed.
 * A new password ends the sessions of the user, revokes their grants and tokens, and cancels the pending
 * change of a confirmed e-mail address.
 */
export async function changeAccount(
  deps: Deps,
  by: User,
  id: number,
  changes: AccountChanges,
): Promise<AccountOutcome> {
  const problems = await problemsOf(deps, id, changes);
  if (problems !== null) return { problems };
  const refusal = await usernameRefusal(deps, id, changes.username);
  if (refusal !== null) return refusal;
  const fields = await fieldsOf(deps, changes);
  let changed: User | null = null;
  try {
    const refused = await change(deps, { by, id, demotes: changes.admin === false }, async (context) => {
      changed = await apply(context, fields, changes.admin);
      return null;
    });
    return changed === null ? { refused: refused ?? "unknown" } : { user: changed };
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause;
    const { username = "", email = "" } = fields;
    return { taken: (await store.takenOf(deps.db, { username, email, except: id })) ?? "username" };
  }
}

/**
 * Returns the field error of a new username; null for an allowed username. A username that belongs to a group
 * is refused. A user who has projects cannot be renamed, because the paths of the projects must not change.
 */
async function usernameRefusal(
  deps: Deps,
  id: number,
  username: string | undefined,
): Promise<Extract<AccountOutcome, { problems: FieldErrors } | { taken: string }> | null> {
  if (username === undefined) return null;
  if (await nameIsTakenByOthers(deps, username)) return { taken: "username" };
  const before = await store.findById(deps.reads, id);
  if (before === null || before.username === username || !(await hasDescendantPaths(deps, id))) return null;
  return { problems: { username: "cannot change while the user has projects" } };
}

async function apply(
  context: Parameters<Parameters<typeof change>[2]>[0],
  fields: store.AccountFields,
  admin: boolean | undefined,
): Promise<User> {
  const { deps, target } = context;
  const names = changedFields(target, fields);
  const user = await store.setAccount(deps.db, target.id, fields);
  if (names.length > 0) await recordChange(context, "user.changed", { fields: names });
  if (names.includes("email"))
    await notify(deps, target, "email_changed", { facts: [["New e-mail address", user.email]] });
  if (fields.passwordDigest !== undefined) {
    await endSessionsOf(deps, target);
    await cancelPendingEmail(deps, target.id);
    await announceAccessEnded(deps, {
      userId: target.id,
      because: "password_reset",
      actorId: context.by?.id ?? null,
    });
  }
  if (admin === undefined || !(await store.setAdmin(deps.db, target.id, admin))) return user;
  await recordChange(context, "user.admin_changed", { admin });
  return { ...user, admin };
}

type FieldName = AuditEvents["user.changed"]["fields"][number];

const changedFields = (before: User, fields: store.AccountFields): readonly FieldName[] => {
  const differs = (key: "username" | "email" | "name" | "privateProfile"): boolean =>
    fields[key] !== undefined && fields[key] !== before[key];
  return [
    ...(["username", "email", "name"] as const).filter(differs),
    ...(differs("privateProfile") ? (["private_profile"] as const) : []),
    ...(fields.passwordDigest === undefined ? [] : (["password"] as const)),
  ];
};

async function fieldsOf(deps: Deps, changes: AccountChanges): Promise<store.AccountFields> {
  const { username, email, name, password, privateProfile } = changes;
  return {
    ...(username === undefined ? {} : { username }),
    ...(email === undefined ? {} : { email }),
    ...(name === undefined ? {} : { name }),
    ...(password === undefined ? {} : { passwordDigest: await passwordDigest(deps.passwordCost, password) }),
    ...(privateProfile === undefined
      ? {}
      : { privateProfile: privateProfile ?? (await readSettings(deps)).user_defaults_to_private_profile }),
  };
}

async function problemsOf(deps: Deps, id: number, changes: AccountChanges): Promise<FieldErrors | null> {
  const { username, email, name, password } = changes;
  const before = await store.findById(deps.reads, id);
  const problemsByField = {
    username: username === undefined ? null : usernameProblemOf(deps, before, username),
    email: email === undefined ? null : emailProblem(email),
    name: name === undefined || name === before?.name ? null : nameProblem(name),
    password: password === undefined ? null : await passwordProblemOf(deps, before, { ...changes, password }),
  };
  const problems = Object.entries(problemsByField).flatMap(([field, text]) =>
    text === null ? [] : [[field, text]],
  );
  return problems.length === 0 ? null : Object.fromEntries(problems);
}

/**
 * Returns the problem of a username; null for a valid username. A user who already has a reserved username
 * can keep it, and can change its case.
 */
const usernameProblemOf = (deps: Deps, before: User | null, username: string): string | null =>
  before?.username.toLowerCase() === username.toLowerCase()
    ? usernameProblem(username)
    : newUsernameProblem(username, instanceNamesOf(deps));

async function passwordProblemOf(
  deps: Deps,
  user: User | null,
  { password, username, email }: AccountChanges & Readonly<{ password: string }>,
): Promise<string | null> {
  if (user === null) return null;
  const owner = { ...user, username: username ?? user.username, email: email ?? user.email };
  return newPasswordProblem(deps, password, owner);
}
