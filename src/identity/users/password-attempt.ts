import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { countFailure, exhaustedSubjects, type Subject } from "@/instance/rate-limits/counter";
import type { Settings } from "@/instance/settings/catalog";
import { limitOf } from "@/instance/settings/service";
import { csrfToken } from "@/kernel/crypto/keys";
import { passwordMatches, withPasswordSlot } from "@/kernel/crypto/password";
import type { Deps } from "@/kernel/deps/deps";
import { sourceNetwork } from "@/kernel/http/ip-address";
import { enrolmentOf } from "../sessions/enrolment";
import type { Session } from "../sessions/service";
import { acceptsPasswords, type PasswordWay } from "./rules";
import * as store from "./store";

/** A browser or session that belongs to a user for certain. It has a failure counter of its own. */
export type KnownDevice = Readonly<{ userId: number; id: string }>;

export type PasswordAttempt = Readonly<{
  /** A username or an e-mail address, in any case. */
  login: string;
  password: string;
  /** The IP address of the request. */
  ipAddress: string;
  way: PasswordWay;
  /** The devices that the request proves to be, of whichever users. */
  devices?: readonly KnownDevice[];
  /** Whether the password may be that of an administrator. Default: it may. */
  administrators?: boolean;
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
 * Compares a password. A wrong one, an unknown login, a blocked user and one whose password does not count here are
 * refused alike and in the same time. Only failures are counted, so that any number of right passwords at once is
 * fine; a hundred guesses at once are not, for each checks the counters again when its turn has come.
 * @throws PasswordsBusy when too many passwords are being checked at once.
 */
export async function tryPassword(
  deps: Deps,
  settings: Settings,
  attempt: PasswordAttempt,
): Promise<PasswordOutcome> {
  const row = await store.findByLogin(deps.db, attempt.login);
  const isAccepted =
    acceptsPasswords(attempt.way, settings, row !== null && needsMore(deps, settings, row)) &&
    (attempt.administrators !== false || row?.user.admin !== true);
  const counters = countersOf(settings, attempt, isAccepted ? (row?.user ?? null) : null);
  const checked = await check(deps, counters);
  if (checked.limited !== null) return checked.limited;
  return withPasswordSlot(async () => {
    const { limited, usedUp } = await check(deps, counters);
    if (limited !== null) return limited;
    const digest = isAccepted && !usedUp ? (row?.passwordDigest ?? null) : null;
    const right = await passwordMatches(deps.passwordCost, attempt.password, digest);
    if (right && row?.user.state === "active")
      return { user: row.user, passwordStamp: passwordStamp(deps, row.passwordDigest) };
    await countFailure(deps.db, [...counters.shown, ...counters.hidden], deps.clock());
    const about = { userId: row?.user.id ?? null };
    await audit.record(deps, "sign_in.failed", { address: attempt.ipAddress }, about);
    return { refused: "wrong" };
  });
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
  csrfToken(deps.keys, `password ${passwordDigest}`);

/**
 * `shown`: an exhausted counter is answered as such. It is named after the text that was typed and the way, so that
 * its answer says nothing about users. `hidden`: an exhausted counter makes every password wrong. It is named after
 * the user, so that username, e-mail address and both ways share one number of guesses, and nobody learns that they
 * belong together (docs/decisions/0031-password-failures.md).
 */
type Counters = Readonly<{ shown: readonly Subject[]; hidden: readonly Subject[] }>;

/** @param user whose password is compared; null when none is. */
function countersOf(settings: Settings, attempt: PasswordAttempt, user: User | null): Counters {
  const device = attempt.devices?.find(({ userId }) => userId === user?.id);
  if (device !== undefined)
    return {
      shown: [
        limitOf(settings, "password_per_device", `${device.userId} ${device.id}`),
        // Somebody who has known the password can have collected many device cookies.
        limitOf(settings, "password_per_login_in_all", `devices of user ${device.userId}`),
      ],
      hidden: [],
    };
  const source = sourceNetwork(attempt.ipAddress);
  const typed = `${attempt.way} ${attempt.login.toLowerCase()}`;
  const owner = user === null ? `no user ${typed}` : `user ${user.id}`;
  return {
    shown: [
      limitOf(settings, "password_per_login", `${typed} ${source}`),
      limitOf(settings, "password_per_login_in_all", typed),
      limitOf(settings, "password_per_address", source),
    ],
    hidden: [limitOf(settings, "password_per_login", `${owner} ${source}`)],
  };
}

type Checked = Readonly<{
  limited: Extract<PasswordOutcome, { readonly refused: "limited" }> | null;
  /** Whether a hidden counter is exhausted. */
  usedUp: boolean;
}>;

async function check(deps: Deps, { shown, hidden }: Counters): Promise<Checked> {
  const exhausted = await exhaustedSubjects(deps.db, [...shown, ...hidden], deps.clock());
  const seconds = shown.flatMap((subject) => exhausted.get(subject) ?? []);
  return {
    limited: seconds.length === 0 ? null : { refused: "limited", retryAfterSeconds: Math.max(...seconds) },
    usedUp: hidden.some((subject) => exhausted.has(subject)),
  };
}

/** The device that a live session proves: a re-authentication in it has a failure counter of its own. */
export const deviceOfSession = (session: Session): KnownDevice => ({
  userId: session.user.id,
  id: `session ${session.id}`,
});
