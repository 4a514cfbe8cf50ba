import { canSignIn, type User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { readSettings } from "@/instance/settings/service";
import { passwordDigest } from "@/kernel/crypto/password";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import { endSessionsOf } from "../sessions/service";
import { announceAccessEnded } from "./access-ended";
import { cancelPendingEmail } from "./email-confirmation";
import { instanceNamesOf, newPasswordProblem } from "./new-password";
import { passwordStamp } from "./password-stamp";
import type { UserWithPassword } from "./row";
import { emailProblem, nameProblem, newUsernameProblem, usernameProblem } from "./rules";
import * as store from "./store";
import { nameIsTakenByOthers } from "./top-level-names";

export type NewUser = Readonly<{
  username: string;
  email: string;
  password: string;
  name?: string | undefined;
  admin?: boolean;
  /** Whether the profile is private; by default, the setting of the instance. */
  privateProfile?: boolean | undefined;
}>;

export type FieldErrors = Readonly<Record<string, string>>;
/** The field whose value another user already has. */
export type CreationProblem = { readonly problems: FieldErrors; readonly taken?: "email" | "username" };
export type Created = { readonly user: User } | CreationProblem;

/**
 * Creates a user who can sign in. The e-mail address counts as confirmed, because an administrator or an
 * operator creates the user.
 * @param by the administrator, for the audit log; null for the command line.
 * @returns the user, or the field errors.
 */
export async function create(deps: Deps, user: NewUser, by: User | null = null): Promise<Created> {
  const row = await prepare(deps, user);
  if ("problems" in row) return row;
  try {
    const isRecorded = by !== null || deps.commandLine === true;
    return { user: isRecorded ? await insertRecorded(deps, row, by) : await insertPrepared(deps, row) };
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause;
    return takenProblem(deps, user);
  }
}

/** The row of a new user whose fields are valid and whose password is hashed. */
export type PreparedUser = store.NewUser;

/**
 * Checks a new user and hashes the password, before the transaction that inserts the user.
 * @returns the row, or the field errors.
 * @throws PasswordsBusy when too many passwords are being hashed simultaneously.
 */
export async function prepare(deps: Deps, user: NewUser): Promise<PreparedUser | CreationProblem> {
  const problems = problemsOf({
    username: usernameProblemOf(deps, user.username),
    email: emailProblem(user.email),
    name: user.name?.trim() ? nameProblem(user.name.trim()) : null,
    password: await newPasswordProblem(deps, user.password, { ...user, twoFactor: false }),
  });
  if (problems !== null) return { problems };
  const taken = (await store.takenOf(deps.db, user)) ?? (await nameOfGroup(deps, user.username));
  if (taken !== null) return alreadyTaken(taken);
  const digest = await passwordDigest(deps.passwordCost, user.password);
  return {
    username: user.username,
    email: user.email,
    emailVerified: true,
    name: user.name?.trim() || user.username,
    passwordDigest: digest,
    admin: user.admin ?? false,
    state: "active",
    privateProfile: user.privateProfile ?? (await readSettings(deps)).user_defaults_to_private_profile,
    createdAt: deps.clock(),
  };
}

/**
 * Inserts a user that `prepare` has checked.
 * @throws Prisma's P2002 when the username or the e-mail address is taken.
 */
export const insertPrepared = (deps: Deps, user: PreparedUser): Promise<User> => store.insert(deps.db, user);

/** Returns the field errors of a user whose insertion failed because the username or the e-mail address is taken. */
export const takenProblem = async (
  deps: Deps,
  user: Pick<NewUser, "username" | "email">,
): Promise<CreationProblem> => alreadyTaken((await store.takenOf(deps.db, user)) ?? "username");

/**
 * Returns the error text for the username of a new user; null for a valid username. The reserved username
 * `root` is allowed, because the first start creates the user `root`, and an operator can create this user
 * again.
 */
const usernameProblemOf = (deps: Deps, username: string): string | null =>
  username.toLowerCase() === "root"
    ? usernameProblem(username)
    : newUsernameProblem(username, instanceNamesOf(deps));

const nameOfGroup = async (deps: Deps, username: string): Promise<"username" | null> =>
  (await nameIsTakenByOthers(deps, username)) ? "username" : null;

const alreadyTaken = (taken: "email" | "username") => ({ problems: { [taken]: "is already taken" }, taken });

const insertRecorded = (deps: Deps, row: store.NewUser, by: User | null): Promise<User> =>
  deps.transaction(async (within) => {
    const user = await store.insert(within.db, row);
    const about = { userId: user.id, actorId: by?.id ?? null };
    await audit.record(within, "user.created", { admin: user.admin }, about);
    return user;
  });

function problemsOf(problemsByField: Readonly<Record<string, string | null>>): FieldErrors | null {
  const problems = Object.entries(problemsByField).flatMap(([field, text]) =>
    text === null ? [] : [[field, text]],
  );
  return problems.length === 0 ? null : Object.fromEntries(problems);
}

/** @param login a username or an e-mail address. */
export const find = async (deps: Deps, login: string): Promise<User | null> =>
  (await store.findByLogin(deps.db, login))?.user ?? null;

/** Returns the usernames of this list that belong to users, in lower case. */
export const existingUsernames = (
  deps: Pick<Deps, "db">,
  usernames: readonly string[],
): Promise<readonly string[]> => store.existingUsernames(deps.db, usernames);

/** Returns the user with this id, or null. */
export const findById = (deps: Deps, id: number): Promise<User | null> => store.findById(deps.reads, id);

/** A user, and a value that identifies the user's current password (`passwordStamp`). */
export type UserWithStamp = Readonly<{ user: User; passwordStamp: string }>;

/** Returns the user with this id and the stamp of the current password; null for an unknown id. */
export const findWithStamp = async (deps: Deps, id: number): Promise<UserWithStamp | null> =>
  withStamp(await store.findWithPassword(deps.db, id));

/**
 * Returns the user with this confirmed e-mail address, compared case-insensitively; null for an unknown e-mail
 * address.
 */
export const findByEmailWithStamp = async (deps: Deps, email: string): Promise<UserWithStamp | null> =>
  // The check for @ is necessary, because `findByLogin` would compare a text without @ with the usernames.
  withStamp(await store.findByLogin(deps.db, email.includes("@") ? email : "@"));

const withStamp = (row: UserWithPassword | null): UserWithStamp | null =>
  row && { user: row.user, passwordStamp: passwordStamp(row.passwordDigest) };

/**
 * Runs a database write for a user whose password was checked. If the password was reset or the user was
 * blocked after the check, the function returns null and writes nothing.
 */
export const withCheckedPassword = <Result>(
  deps: Deps,
  checked: UserWithStamp,
  write: (within: Deps) => Promise<Result>,
): Promise<Result | null> =>
  deps.transaction(async (within) => {
    await lock(within, checked.user.id);
    const current = await findWithStamp(within, checked.user.id);
    if (current === null || !canSignIn(current.user.state)) return null;
    if (current.passwordStamp !== checked.passwordStamp) return null;
    return write(within);
  });

/** Stores the time since which the user has a second factor; null for a user without a second factor. */
export const setTwoFactorSince = (
  deps: Pick<Deps, "db">,
  userId: number,
  since: Date | null,
): Promise<void> => store.setTwoFactorSince(deps.db, userId, since);

/** Locks the row of the user until the transaction of `deps` ends. */
export const lock = (deps: Pick<Deps, "db">, userId: number): Promise<boolean> => store.lock(deps.db, userId);

/** Stores the time at which the user was first required to set up a second factor. */
export const recordTwoFactorDemand = (deps: Deps, user: User): Promise<void> =>
  store.setTwoFactorAskedAt(deps.db, user.id, deps.clock());

/**
 * Sets a new password, as an operator. The function ends the sessions of the user and revokes their grants and
 * personal access tokens, because another person may know the old password.
 * @returns the reason why the password is refused; null on success.
 */
export async function resetPassword(deps: Deps, user: User, password: string): Promise<string | null> {
  const problem = await newPasswordProblem(deps, password, user);
  if (problem !== null) return problem;
  const digest = await passwordDigest(deps.passwordCost, password);
  await deps.transaction(async (within) => {
    if (within.commandLine)
      await audit.record(within, "user.changed", { fields: ["password"] }, { userId: user.id });
    await replacePassword(within, user, digest);
  });
  return null;
}

/**
 * Stores a new password in the transaction of `deps`. The function also ends the sessions of the user,
 * revokes their grants and personal access tokens, and cancels the pending change of a confirmed e-mail
 * address.
 */
export async function replacePassword(deps: Deps, user: User, passwordDigest: string): Promise<void> {
  await store.setPassword(deps.db, user.id, passwordDigest);
  await cancelPendingEmail(deps, user.id);
  await endSessionsOf(deps, user);
  await announceAccessEnded(deps, { userId: user.id, because: "password_reset", actorId: null });
}

/** Returns the time at which the only user was created; null if the instance has no user or several users. */
export const onlyUserSince = (deps: Deps): Promise<Date | null> => store.onlyUserSince(deps.db);
