import type { User } from "@/access/principal";
import { digest } from "@/kernel/crypto/token";
import type { Deps } from "@/kernel/deps/deps";
import { cookieValue, setCookie } from "@/kernel/http/cookie";
import { openProof, sealProof, spendProof } from "../two-factor/sealed-proof";
import * as users from "../users/service";

const PURPOSE = "pending_sign_in";

/** The second factor has to follow the password within this time. */
const SECONDS = 10 * 60;

/** Somebody whose password was right and whose second factor is still to come. */
export type PendingSignIn = Readonly<{
  user: User;
  passwordStamp: string;
  /** Names this password check and no other: what is made for it fits nothing else. */
  id: string;
  sealed: string;
  expiresAt: Date;
}>;

/**
 * The `Set-Cookie` line that carries the proof of a password check. It is sealed for this one purpose, so it opens no
 * session; it is bound to the password, so a new one ends it; and it counts once.
 */
export function pendingCookie(
  deps: Deps,
  { user, passwordStamp }: Readonly<{ user: User; passwordStamp: string }>,
): string {
  const sealed = sealProof(deps, PURPOSE, `${user.id} ${passwordStamp}`, SECONDS);
  return setCookie(deps.config, "pending_sign_in", sealed, SECONDS);
}

/** Takes the proof out of the browser. */
export const noPendingCookie = (deps: Deps): string => setCookie(deps.config, "pending_sign_in", "", 0);

/** The password check that a `Cookie` header proves; null when it proves none that still counts. */
export async function pendingSignIn(deps: Deps, cookieHeader: string | null): Promise<PendingSignIn | null> {
  const sealed = cookieValue(deps.config, cookieHeader, "pending_sign_in");
  const proof = sealed === null ? null : openProof(deps, PURPOSE, sealed);
  if (sealed === null || proof === null) return null;
  const [userId = "", stamp = ""] = proof.text.split(" ");
  const row = await users.findWithStamp(deps, Number(userId));
  if (row === null || row.passwordStamp !== stamp) return null;
  if (row.user.state !== "active" || !row.user.twoFactor) return null;
  return { ...row, id: digest(sealed), sealed, expiresAt: proof.expiresAt };
}

/** Uses the proof up. True for exactly one caller. */
export const spendPending = (deps: Deps, { sealed, expiresAt }: PendingSignIn): Promise<boolean> =>
  spendProof(deps, sealed, expiresAt);

/** What a passkey's answer is for that completes this sign-in. */
export const pendingPurpose = ({ id }: PendingSignIn): string => `second_factor ${id}`;
