import type { User } from "@/access/principal";
import { formToken } from "@/platform/crypto/keys";
import { passwordMatches, passwordTurn } from "@/platform/crypto/password";
import type { Deps } from "@/platform/deps";
import { countFailure, type Subject, secondsBlocked } from "@/platform/rate-limit/counter";
import * as audit from "../audit/service";
import type { Settings } from "../settings/catalog";
import { limitOf } from "../settings/service";
import { enrolmentOf } from "../two-factor/rules";
import { type PasswordWay, takesPasswords } from "./rules";
import * as store from "./store";

export type PasswordAttempt = Readonly<{
  /** A username or an e-mail address, in any case. */
  login: string;
  password: string;
  /** Where the request came from. */
  address: string;
  way: PasswordWay;
}>;

export type PasswordOutcome =
  | {
      readonly user: User;
      /** Changes with the password: what was proven with an older one can be told by it. */
      readonly passwordStamp: string;
    }
  | { readonly refused: "wrong" }
  /** Too many wrong passwords: nothing was compared. */
  | { readonly refused: "limited"; readonly retryAfterSeconds: number };

/**
 * Compares a password. A wrong one, an unknown login, a blocked person and one whose password does not count here are
 * refused alike and in the same time. Failures alone are counted, so that any number of right passwords at once is
 * fine; a hundred guesses at once are not, for each looks at the count again when its turn has come.
 * @throws PasswordsBusy when too many passwords are being checked at once.
 */
export async function tryPassword(
  deps: Deps,
  settings: Settings,
  attempt: PasswordAttempt,
): Promise<PasswordOutcome> {
  const found = await store.findByLogin(deps.db, attempt.login);
  const takes = takesPasswords(attempt.way, settings, found !== null && needsMore(deps, settings, found));
  // A refusal that never looks at the password is no guess, so it does not lock the person out of the sign-in page.
  // A person has a name and an address, and ten guesses in all.
  const who = found === null ? attempt.login.toLowerCase() : `user ${found.user.id}`;
  const login = takes ? who : `not taken ${who}`;
  const subjects = [
    limitOf(settings, "password_per_login", login),
    limitOf(settings, "password_per_address", attempt.address),
  ];
  const digest = takes ? (found?.passwordDigest ?? null) : null;
  return (
    (await limited(deps, subjects)) ??
    passwordTurn(async () => {
      const late = await limited(deps, subjects);
      if (late !== null) return late;
      const right = await passwordMatches(attempt.password, digest);
      if (right && found?.user.state === "active")
        return { user: found.user, passwordStamp: passwordStamp(deps, found.passwordDigest) };
      await countFailure(deps.db, subjects, deps.clock());
      const about = { userId: found?.user.id ?? null };
      await audit.record(deps, "sign_in.failed", { address: attempt.address }, about);
      return { refused: "wrong" };
    })
  );
}

/** Whether a password alone does not let this person in, or no longer. */
const needsMore = (
  deps: Deps,
  settings: Settings,
  { user, twoFactorAskedAt }: store.UserWithPassword,
): boolean =>
  user.twoFactor ||
  enrolmentOf(settings, { twoFactor: false, askedAt: twoFactorAskedAt }, deps.clock()).kind === "due";

/** What a proof of a password is bound to: nobody who reads it learns anything of the digest. */
export const passwordStamp = (deps: Pick<Deps, "keys">, passwordDigest: string): string =>
  formToken(deps.keys, `password ${passwordDigest}`);

async function limited(
  deps: Deps,
  subjects: readonly Subject[],
): Promise<Extract<PasswordOutcome, { readonly refused: "limited" }> | null> {
  const retryAfterSeconds = await secondsBlocked(deps.db, subjects, deps.clock());
  return retryAfterSeconds === null ? null : { refused: "limited", retryAfterSeconds };
}
