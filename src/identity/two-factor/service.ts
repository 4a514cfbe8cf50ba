import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { readSettings } from "@/instance/settings/service";
import { seal } from "@/kernel/crypto/seal";
import { openSealedToken, sealToken } from "@/kernel/crypto/sealed-token";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import { hasHiddenCharacters } from "@/kernel/text/hidden-characters";
import type { UserRefusal } from "../users/administration";
import { type KnownDevice, tryPassword } from "../users/password-attempt";
import { passwordCharactersMin } from "../users/password-rules";
import { hasPassword } from "../users/profile";
import * as users from "../users/service";
import { type PasskeyRefusal, readNewPasskey } from "./passkey";
import { newRecoveryCode, RECOVERY_CODES } from "./recovery-code";
import { PASSKEY_NAME, PASSKEY_NAME_MAX } from "./rules";
import { recoveryDigest, secretPurpose } from "./second-factor";
import * as store from "./store";
import { factorsOf, type ShownPasskey, shownPasskeys } from "./store.sql";
import { newTotpSecret, type TotpSetup, totpSetup, totpStep } from "./totp";

export type Passkey = ShownPasskey;

/** The second factors of a user. */
export type TwoFactor = Readonly<{
  totp: boolean;
  passkeys: readonly Passkey[];
  recoveryCodesLeft: number;
}>;

export async function twoFactorOf(deps: Deps, user: User): Promise<TwoFactor> {
  const factors = await factorsOf(deps.reads, user.id);
  const passkeys = await shownPasskeys(deps.reads, user.id, store.PASSKEYS_MAX);
  return { ...(factors ?? { totp: false, recoveryCodesLeft: 0 }), passkeys };
}

/** The time within which the user must complete the setup of an authenticator app. */
const PENDING_SECONDS = 30 * 60;

/** An encrypted secret that is not stored yet, with the setup data for an authenticator app. */
export type PendingTotp = TotpSetup & Readonly<{ sealed: string }>;

/**
 * Creates a secret for an authenticator app. The page contains the encrypted secret, and the server stores
 * the secret only when the user enters a correct code.
 */
export function beginTotp(deps: Deps, user: User): PendingTotp {
  const secret = newTotpSecret(deps.randomBytes);
  const sealed = sealToken(deps, `pending_totp ${user.id}`, secret, PENDING_SECONDS);
  return { sealed, ...totpSetup(secret, deps.config.baseUrl.hostname, user.username) };
}

/**
 * Returns the secret that the page submitted. If the submitted secret has expired or belongs to another user,
 * the function returns a new secret.
 */
export function continueTotp(deps: Deps, user: User, sealed: string): PendingTotp {
  const opened = openSealedToken(deps, `pending_totp ${user.id}`, sealed);
  if (opened === null) return beginTotp(deps, user);
  return { sealed, ...totpSetup(opened.text, deps.config.baseUrl.hostname, user.username) };
}

/**
 * The new recovery codes, which are shown once; null if the user already had a second factor.
 */
export type EnrolledFactor = Readonly<{ codes: readonly string[] | null }>;

/**
 * Stores the secret of an authenticator app if `typed` is a correct code. The new secret replaces an earlier
 * secret of the user.
 */
export async function enrollTotp(
  deps: Deps,
  user: User,
  sealed: string,
  typed: string,
): Promise<EnrolledFactor | "expired" | "wrong"> {
  const opened = openSealedToken(deps, `pending_totp ${user.id}`, sealed);
  if (opened === null) return "expired";
  const now = deps.clock();
  const lastStep = totpStep(opened.text, typed, now);
  if (lastStep === null) return "wrong";
  const sealedSecret = seal(deps.randomBytes, deps.keys.sealing, secretPurpose(user.id), opened.text);
  return deps.transaction(async (within) => {
    await users.lock(within, user.id);
    await store.putTotp(within.db, { userId: user.id, sealedSecret, createdAt: now, lastStep });
    await audit.record(within, "totp.enrolled", {}, { userId: user.id });
    return { codes: await beginTwoFactor(within, user) };
  });
}

/**
 * Turns on two-factor authentication and creates recovery codes.
 * @returns null if two-factor authentication was already on.
 */
async function beginTwoFactor(deps: Deps, user: User): Promise<readonly string[] | null> {
  const before = await users.findById(deps, user.id);
  if (before?.twoFactor !== false) return null;
  await users.setTwoFactorSince(deps, user.id, deps.clock());
  await audit.record(deps, "two_factor.enabled", {}, { userId: user.id });
  return putNewCodes(deps, user);
}

async function putNewCodes(deps: Deps, user: User): Promise<readonly string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => newRecoveryCode(deps.randomBytes));
  await store.putRecoveryCodes(deps.db, user.id, codes.map(recoveryDigest));
  return codes;
}

/**
 * Replaces the recovery codes of a user with ten new codes.
 * @returns the new codes; null for a user without a second factor.
 */
export async function renewRecoveryCodes(deps: Deps, user: User): Promise<readonly string[] | null> {
  return deps.transaction(async (within) => {
    await users.lock(within, user.id);
    if (!(await users.findById(within, user.id))?.twoFactor) return null;
    await audit.record(within, "recovery_codes.renewed", {}, { userId: user.id });
    return putNewCodes(within, user);
  });
}

/**
 * Adds a passkey that the browser has created.
 * @param registration.text the response of the browser to `creationOptions` with this purpose.
 * @returns `taken` for an authenticator that is already registered.
 */
export async function addPasskey(
  deps: Deps,
  user: User,
  registration: Readonly<{ purpose: string; text: string; name: string }>,
): Promise<EnrolledFactor | PasskeyRefusal | "taken"> {
  const passkey = await readNewPasskey(deps, registration);
  if (typeof passkey === "string") return passkey;
  const typed = hasHiddenCharacters(registration.name) ? "" : registration.name.trim();
  const name = [...typed].slice(0, PASSKEY_NAME_MAX).join("") || PASSKEY_NAME;
  if ((await store.listPasskeys(deps.db, user.id)).length >= store.PASSKEYS_MAX) return "taken";
  try {
    return await deps.transaction(async (within) => {
      await users.lock(within, user.id);
      await store.insertPasskey(within.db, { ...passkey, userId: user.id, name, createdAt: within.clock() });
      await audit.record(within, "passkey.added", { name }, { userId: user.id });
      return { codes: await beginTwoFactor(within, user) };
    });
  } catch (cause) {
    if (isUniqueViolation(cause)) return "taken";
    throw cause;
  }
}

/**
 * Removes a passkey of the user.
 * @returns the name of the passkey; `last` for the only second factor, which this function does not remove;
 * null when the user has no passkey with this id.
 */
export async function removePasskey(
  deps: Deps,
  user: User,
  id: number,
): Promise<{ name: string } | "last" | null> {
  try {
    return await deps.transaction(async (within) => {
      await users.lock(within, user.id);
      const name = await store.removePasskey(within.db, user.id, id);
      if (name === null) return null;
      if (!(await store.hasFactor(within.db, user.id))) throw new LastFactor();
      await audit.record(within, "passkey.removed", { name }, { userId: user.id });
      return { name };
    });
  } catch (cause) {
    if (cause instanceof LastFactor) return "last";
    throw cause;
  }
}

/** The error that rolls back the removal of the only second factor. */
class LastFactor extends Error {}

export type TurnOffOutcome =
  | "off"
  | "wrong"
  | "required"
  /**
   * The refusal for a user without a password. Without the second factor, this user might have no way to sign
   * in.
   */
  | "no_password"
  /**
   * The refusal for a user whose password would be too short without a second factor. `charactersMin` is
   * the minimum length of a password that is used without a second factor.
   */
  | Readonly<{ charactersMin: number }>
  | Readonly<{ retryAfterSeconds: number }>;

/**
 * Turns off the two-factor authentication of a user who enters the correct password, unless the instance
 * requires two-factor authentication.
 * @throws PasswordsBusy when too many passwords are being checked simultaneously.
 */
export async function turnOff(
  deps: Deps,
  user: User,
  given: Readonly<{ password: string; ipAddress: string; devices?: readonly KnownDevice[] }>,
): Promise<TurnOffOutcome> {
  const settings = await readSettings(deps);
  if (settings.require_two_factor_authentication) return "required";
  if (!(await hasPassword(deps, user))) return "no_password";
  const outcome = await tryPassword(deps, settings, { login: user.username, ...given, way: "sign_in" });
  if ("refused" in outcome) return outcome.refused === "wrong" ? "wrong" : outcome;
  const charactersMin = passwordCharactersMin(settings, false);
  if (given.password.length < charactersMin) return { charactersMin };
  const isRemoved = await users.withCheckedPassword(deps, outcome, async (within) => {
    await removeTwoFactor(within, user.id, { by: "owner" });
    return true;
  });
  return isRemoved === null ? "wrong" : "off";
}

/**
 * Removes every second factor of a user who can no longer use the second factors. The sessions of the user
 * stay open.
 * @param by the administrator; null for an operator at the command line.
 */
export const resetTwoFactor = (deps: Deps, userId: number, by: User | null = null): Promise<void> =>
  removeTwoFactor(
    deps,
    userId,
    by === null ? { by: "operator" } : { by: "administrator", administratorId: by.id },
  );

type Remover = Parameters<typeof audit.record<"two_factor.disabled">>[2];

async function removeTwoFactor(deps: Deps, userId: number, remover: Remover): Promise<void> {
  await deps.transaction(async (within) => {
    await users.lock(within, userId);
    await store.removeAll(within.db, userId);
    await users.setTwoFactorSince(within, userId, null);
    const actorId = remover.by === "administrator" ? remover.administratorId : null;
    await audit.record(within, "two_factor.disabled", remover, { userId, actorId });
  });
}

/**
 * Removes every second factor of a user, as an administrator. After the removal, the user signs in by
 * password alone.
 * @returns null on success.
 */
export async function resetSecondFactor(deps: Deps, by: User, id: number): Promise<UserRefusal | null> {
  // This function does not remove the second factor of the administrator who calls it. Administrators remove
  // their own second factor on the settings page, which requires their password.
  if (by.id === id) return "self";
  const target = await users.findById(deps, id);
  if (target === null) return "unknown";
  if (target.twoFactor) await resetTwoFactor(deps, id, by);
  return null;
}
