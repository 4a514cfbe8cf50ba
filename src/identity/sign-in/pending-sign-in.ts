import { canSignIn, type User } from "@/access/principal";
import { openSealedToken, sealToken } from "@/kernel/crypto/sealed-token";
import { digest } from "@/kernel/crypto/token";
import type { Deps } from "@/kernel/deps/deps";
import { cookieValue, setCookie } from "@/kernel/http/cookie";
import { claimSealedToken } from "../two-factor/sealed-token";
import * as users from "../users/service";

const PURPOSE = "pending_sign_in";

/** The maximum time between the password check and the second factor. */
const SECONDS = 10 * 60;

/** A sign-in with a correct password that waits for the second factor. */
export type PendingSignIn = Readonly<{
  user: User;
  passwordStamp: string;
  /** The first factor: the password, or the response of another provider. */
  method: "password" | "provider";
  /**
   * The id of this password check. The passkey challenge contains the id, so that the challenge is not valid
   * for another sign-in.
   */
  id: string;
  sealed: string;
  expiresAt: Date;
}>;

/**
 * Returns the `Set-Cookie` line with an encrypted record of a password check. The record of the password
 * check does not create a session, becomes invalid when the password changes, and can be used only once.
 * @param method the first factor.
 */
export function pendingCookie(
  deps: Deps,
  { user, passwordStamp }: Readonly<{ user: User; passwordStamp: string }>,
  method: PendingSignIn["method"],
): string {
  const sealed = sealToken(deps, PURPOSE, `${user.id} ${passwordStamp} ${method}`, SECONDS);
  return setCookie(deps.config, "pending_sign_in", sealed, SECONDS);
}

/** Returns the `Set-Cookie` line that removes the encrypted record of a password check. */
export const noPendingCookie = (deps: Deps): string => setCookie(deps.config, "pending_sign_in", "", 0);

/** Returns the password check whose encrypted record is in a `Cookie` header; null without a valid record. */
export async function pendingSignIn(deps: Deps, cookieHeader: string | null): Promise<PendingSignIn | null> {
  const sealed = cookieValue(deps.config, cookieHeader, "pending_sign_in");
  const opened = sealed === null ? null : openSealedToken(deps, PURPOSE, sealed);
  if (sealed === null || opened === null) return null;
  const [userId = "", stamp = "", first] = opened.text.split(" ");
  const row = await users.findWithStamp(deps, Number(userId));
  if (row === null || row.passwordStamp !== stamp) return null;
  if (!canSignIn(row.user.state) || !row.user.twoFactor) return null;
  // An earlier version of Gatehouse did not store the first factor. For a record without a first factor, the
  // method `provider` is assumed, because `provider` states less about the authentication than `password`.
  const method = first === "password" ? first : "provider";
  return { ...row, method, id: digest(sealed), sealed, expiresAt: opened.expiresAt };
}

/**
 * Marks the encrypted record of a password check as used.
 * @returns true for exactly one of several simultaneous callers.
 */
export const spendPending = (deps: Deps, { sealed, expiresAt }: PendingSignIn): Promise<boolean> =>
  claimSealedToken(deps, sealed, expiresAt);

/** Returns the purpose for which the passkey challenge of this sign-in is valid. */
export const pendingPurpose = ({ id }: PendingSignIn): string => `second_factor ${id}`;
