import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { countFailure, countOf, refund, reserveInOrder, reset } from "@/instance/rate-limits/counter";
import { LIMITS } from "@/instance/rate-limits/limits";
import type { SealedColumn } from "@/instance/secret-rotation/sealed-column";
import { limitOf, readSettings } from "@/instance/settings/service";
import { openValue } from "@/kernel/crypto/sealed-value";
import { digest, type TokenDigest } from "@/kernel/crypto/token";
import type { Deps } from "@/kernel/deps/deps";
import { sourceNetwork } from "@/kernel/http/ip-address";
import { readRecoveryCode } from "./recovery-code";
import * as store from "./store";
import { looksLikeTotp, totpStep } from "./totp";

/** The kind of a correct code, or the reason why a code is refused. */
export type CodeOutcome = "totp" | "recovery_code" | "wrong" | Readonly<{ retryAfterSeconds: number }>;

/**
 * Verifies a code of an authenticator app or a recovery code, and marks a correct code as used. Each attempt
 * is counted as a failure before the code is checked, so that all simultaneous guesses are counted. If the
 * code is correct, the attempt is removed from the count. Each time the limit of wrong codes is reached, the
 * waiting time doubles, up to one day. A correct code resets the waiting time. A known device has a separate
 * counter.
 * @param attempt.typed the entered code, with or without spaces and dashes.
 * @param attempt.device the id of a device that is known for this user.
 */
export async function tryCode(
  deps: Deps,
  attempt: Readonly<{ user: User; typed: string; ipAddress: string; device?: string | undefined }>,
): Promise<CodeOutcome> {
  const { user, typed, ipAddress } = attempt;
  const settings = await readSettings(deps);
  const perUser = limitOf(
    settings,
    "second_factor_per_user",
    [user.id, attempt.device ?? ""].join(" ").trim(),
  );
  const lately = { ...perUser, of: `${perUser.of} lately`, most: FAILURES_MAX, perSeconds: DAY_SECONDS };
  const failures = await countOf(deps.db, lately, deps.clock());
  const subjects = [
    { ...perUser, perSeconds: refusalSeconds(failures, perUser.most) },
    limitOf(settings, "second_factor_per_address", sourceNetwork(ipAddress)),
  ];
  const retryAfterSeconds = await reserveInOrder(deps.db, subjects, deps.clock());
  if (retryAfterSeconds !== null) return { retryAfterSeconds };
  const kind = looksLikeTotp(typed) ? "totp" : "recovery_code";
  if (!(await (kind === "totp" ? claimTotp : claimRecovery)(deps, user, typed))) {
    await countFailure(deps.db, [lately], deps.clock());
    await audit.record(deps, "sign_in.second_factor_failed", { address: ipAddress }, { userId: user.id });
    return "wrong";
  }
  await refund(deps.db, subjects, deps.clock());
  if (failures > 0) await reset(deps.db, [...subjects.slice(0, 1), lately]);
  return kind;
}

const DAY_SECONDS = 86_400;

/**
 * The maximum number of failed attempts that are counted. The limit at which attempts are refused is a
 * setting (see `refusalSeconds`).
 */
const FAILURES_MAX = 1_000_000;

/** @param most the number of wrong codes before a refusal; 0 for no limit. */
const refusalSeconds = (failures: number, most: number): number =>
  Math.min(
    DAY_SECONDS,
    LIMITS.second_factor_per_user.perSeconds * 2 ** (most === 0 ? 0 : Math.floor(failures / most)),
  );

/** The purpose with which the shared secret of an authenticator app is encrypted. */
export const secretPurpose = (userId: number): string => `totp ${userId}`;

async function claimTotp(deps: Deps, user: User, typed: string): Promise<boolean> {
  const totp = await store.findTotp(deps.db, user.id);
  const secret = totp === null ? null : openValue(deps.keys, secretPurpose(user.id), totp.sealedSecret);
  const step = secret === null ? null : totpStep(secret, typed, deps.clock());
  return step !== null && store.claimStep(deps.db, user.id, step);
}

/**
 * Returns the digest of a recovery code. A recovery code has 80 random bits, so its digest needs no salt and
 * no slow hash function.
 */
export const recoveryDigest = (code: string): TokenDigest => digest(`recovery code ${code}`);

async function claimRecovery(deps: Deps, user: User, typed: string): Promise<boolean> {
  const code = readRecoveryCode(typed);
  if (code === null) return false;
  if (!(await store.claimRecoveryCode(deps.db, user.id, recoveryDigest(code), deps.clock()))) return false;
  const left = await store.countRecoveryCodes(deps.db, user.id);
  await audit.record(deps, "recovery_code.used", { left }, { userId: user.id });
  return true;
}

/**
 * The encrypted secrets of authenticator apps. A rotation of the instance secret encrypts the secrets of the
 * apps again.
 */
export const sealedTotpSecrets: SealedColumn = {
  column: "TotpSecret.sealedSecret",
  list: store.listSealed,
  purpose: (userId) => secretPurpose(Number(userId)),
  replace: store.replaceSealed,
};
