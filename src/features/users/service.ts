import type { User } from "@/access/principal";
import { PASSWORD_CHARACTERS_MAX, passwordDigest } from "@/platform/crypto/password";
import { isUniqueViolation } from "@/platform/db/errors";
import { lockRow } from "@/platform/db/lock";
import type { Deps } from "@/platform/deps";
import * as audit from "../audit/service";
import { groupIsNamed } from "../groups/taken";
import { readSettings } from "../settings/service";
import { passwordStamp } from "./password-attempt";
import { emailProblem, nameProblem, passwordProblem, usernameProblem } from "./rules";
import * as store from "./store";

export type NewPerson = Readonly<{
  username: string;
  email: string;
  password: string;
  name?: string | undefined;
  admin?: boolean;
  /** Unless it is said: as the instance does by default. */
  privateProfile?: boolean | undefined;
}>;

export type Problems = Readonly<Record<string, string>>;
/** `taken` beside `problems`: somebody else has that. */
export type Created =
  | { readonly user: User }
  | { readonly problems: Problems; readonly taken?: "email" | "username" };

/**
 * Makes a person who can sign in. An administrator does this, so the address counts as confirmed.
 * @param by the administrator, for the audit; null for an operator at the command line.
 * @returns the person, or what is wrong with each field.
 */
export async function create(deps: Deps, person: NewPerson, by: User | null = null): Promise<Created> {
  const problems = problemsOf({
    username: usernameProblem(person.username),
    email: emailProblem(person.email),
    name: person.name?.trim() ? nameProblem(person.name.trim()) : null,
    password: passwordProblem(person.password, PASSWORD_CHARACTERS_MAX),
  });
  if (problems !== null) return { problems };
  const taken = (await store.takenOf(deps.db, person)) ?? (await nameOfGroup(deps, person.username));
  if (taken !== null) return alreadyTaken(taken);
  const digest = await passwordDigest(person.password);
  const row: store.NewUser = {
    username: person.username,
    email: person.email,
    emailVerified: true,
    name: person.name?.trim() || person.username,
    passwordDigest: digest,
    admin: person.admin ?? false,
    state: "active",
    privateProfile: person.privateProfile ?? (await readSettings(deps)).user_defaults_to_private_profile,
    createdAt: deps.clock(),
  };
  try {
    return { user: by === null ? await store.insert(deps.db, row) : await insertRecorded(deps, row, by) };
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause;
    return alreadyTaken((await store.takenOf(deps.db, person)) ?? "username");
  }
}

const nameOfGroup = async (deps: Deps, username: string): Promise<"username" | null> =>
  (await groupIsNamed(deps, username)) ? "username" : null;

const alreadyTaken = (taken: "email" | "username") => ({ problems: { [taken]: "is already taken" }, taken });

const insertRecorded = (deps: Deps, row: store.NewUser, by: User): Promise<User> =>
  deps.transaction(async (db) => {
    const user = await store.insert(db, row);
    const about = { userId: user.id, actorId: by.id };
    await audit.record({ ...deps, db }, "user.created", { admin: user.admin }, about);
    return user;
  });

function problemsOf(found: Readonly<Record<string, string | null>>): Problems | null {
  const problems = Object.entries(found).flatMap(([field, text]) => (text === null ? [] : [[field, text]]));
  return problems.length === 0 ? null : Object.fromEntries(problems);
}

/** @param login a username or an e-mail address. */
export const find = async (deps: Deps, login: string): Promise<User | null> =>
  (await store.findByLogin(deps.db, login))?.user ?? null;

/** The person with this id, or null. */
export const findById = (deps: Deps, id: number): Promise<User | null> => store.findById(deps.db, id);

/** The person with this id and the stamp of their present password, or null. */
export async function findWithStamp(
  deps: Deps,
  id: number,
): Promise<Readonly<{ user: User; passwordStamp: string }> | null> {
  const found = await store.findWithPassword(deps.db, id);
  return found && { user: found.user, passwordStamp: passwordStamp(deps, found.passwordDigest) };
}

/** Since when the person has a second factor; null when the last one is gone. */
export const setTwoFactorSince = (
  deps: Pick<Deps, "db">,
  userId: number,
  since: Date | null,
): Promise<void> => store.setTwoFactorSince(deps.db, userId, since);

/** Until the transaction of `deps` ends, no other one passes this for the same person. */
export const lock = (deps: Pick<Deps, "db">, userId: number): Promise<boolean> =>
  lockRow(deps.db, "User", userId);

/** Keeps the moment when the person was first told to set up a second factor. */
export const keepTwoFactorAsked = (deps: Deps, user: User): Promise<void> =>
  store.setTwoFactorAskedAt(deps.db, user.id, deps.clock());

/**
 * Sets a new password.
 * @returns what is wrong with it, or null once it holds.
 */
export async function setPassword(deps: Deps, user: User, password: string): Promise<string | null> {
  const problem = passwordProblem(password, PASSWORD_CHARACTERS_MAX);
  if (problem !== null) return problem;
  await store.setPassword(deps.db, user.id, await passwordDigest(password));
  return null;
}
