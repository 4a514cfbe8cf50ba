import type { User } from "@/access/principal";
import { PASSWORD_CHARACTERS_MAX, PasswordsBusy, passwordDigest } from "@/platform/crypto/password";
import { isUniqueViolation } from "@/platform/db/errors";
import type { Deps } from "@/platform/deps";
import * as audit from "../audit/service";
import { readSettings } from "../settings/service";
import type { Session } from "../sign-in/service";
import { endOthers } from "../sign-in/sessions";
import { tryPassword } from "./password-attempt";
import { emailProblem, nameProblem, passwordProblem } from "./rules";
import * as store from "./store";

/** What is wrong with a field, as a sentence. Nothing is: the change holds. */
export type FieldProblems<Field extends string> = Readonly<Partial<Record<Field, string>>>;

/** Whether the person hides their profile from other people. */
export const hidesProfile = async (deps: Deps, user: User): Promise<boolean> =>
  (await store.findProfile(deps.db, user.id))?.privateProfile ?? false;

export async function changeProfile(
  deps: Deps,
  user: User,
  wanted: Readonly<{ name: string; privateProfile: boolean }>,
): Promise<FieldProblems<"name">> {
  const profile = { ...wanted, name: wanted.name.trim() };
  const problem = nameProblem(profile.name);
  if (problem !== null) return { name: `The name ${problem}.` };
  await deps.transaction(async (db) => {
    const before = await store.findProfile(db, user.id);
    const fields = [
      ...(profile.name === user.name ? [] : (["name"] as const)),
      ...(profile.privateProfile === before?.privateProfile ? [] : (["private_profile"] as const)),
    ];
    if (fields.length === 0) return;
    await store.setProfile(db, user.id, profile);
    await audit.record({ ...deps, db }, "profile.changed", { fields }, { userId: user.id });
  });
  return {};
}

/** A change that the person proves by their present password. */
type Proved = Readonly<{ currentPassword: string; address: string }>;

/** Changes the address, which is not confirmed from then on. */
export async function changeEmail(
  deps: Deps,
  user: User,
  wanted: Proved & Readonly<{ email: string }>,
): Promise<FieldProblems<"email" | "currentPassword">> {
  const email = wanted.email.trim();
  const problem = emailProblem(email);
  if (problem !== null) return { email: `The address ${problem}.` };
  if (email === user.email) return { email: "This is your address already." };
  const refused = await passwordRefusal(deps, user, wanted);
  if (refused !== null) return { currentPassword: refused };
  try {
    await deps.transaction(async (db) => {
      await store.setEmail(db, user.id, email);
      await audit.record({ ...deps, db }, "profile.changed", { fields: ["email"] }, { userId: user.id });
    });
    return {};
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause;
    return { email: "Another account has this address. Give another one." };
  }
}

/** Changes the password and ends all other sessions, for somebody else may have known it. */
export async function changePassword(
  deps: Deps,
  session: Session,
  wanted: Proved & Readonly<{ password: string; again: string }>,
): Promise<FieldProblems<"password" | "again" | "currentPassword">> {
  const { user } = session;
  const problem = passwordProblem(wanted.password, PASSWORD_CHARACTERS_MAX);
  if (problem !== null) return { password: `The new password ${problem}.` };
  if (wanted.password !== wanted.again) return { again: "This is not the same as above. Type it again." };
  const refused = await passwordRefusal(deps, user, wanted);
  if (refused !== null) return { currentPassword: refused };
  const digest = await passwordDigest(wanted.password).catch(nullIfBusy);
  if (digest === null) return { password: BUSY };
  await deps.transaction(async (db) => {
    const within = { ...deps, db };
    await store.setPassword(db, user.id, digest);
    await endOthers(within, session);
    await audit.record(within, "profile.changed", { fields: ["password"] }, { userId: user.id });
  });
  return {};
}

/** Why the present password does not prove anything, as a sentence; null when it does. */
async function passwordRefusal(
  deps: Deps,
  user: User,
  { currentPassword, address }: Proved,
): Promise<string | null> {
  const attempt = { login: user.username, password: currentPassword, address, way: "sign_in" } as const;
  const outcome = await tryPassword(deps, await readSettings(deps), attempt).catch(nullIfBusy);
  if (outcome === null) return BUSY;
  if ("user" in outcome) return null;
  if (outcome.refused === "wrong") return "This is not your current password. Nothing was changed.";
  const minutes = Math.ceil(outcome.retryAfterSeconds / 60);
  return `Too many wrong passwords. Come back in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`;
}

const BUSY = "Too many passwords are being checked at this moment. Try again in a few seconds.";

const nullIfBusy = (cause: unknown): null => {
  if (cause instanceof PasswordsBusy) return null;
  throw cause;
};
