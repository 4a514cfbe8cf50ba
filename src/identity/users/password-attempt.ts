import { canSignIn, isBot, type User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { countFailure, countLimited, exhaustedSubjects, type Subject } from "@/instance/rate-limits/counter";
import type { Settings } from "@/instance/settings/catalog";
import { limitOf } from "@/instance/settings/service";
import { passwordMatches, withPasswordSlot } from "@/kernel/crypto/password";
import type { Deps } from "@/kernel/deps/deps";
import { sourceNetwork } from "@/kernel/http/ip-address";
import { enforcedForUser } from "../providers/rules";
import { listProviders } from "../providers/service";
import type { Session } from "../sessions/service";
import { enrollmentOf } from "../sessions/two-factor-enrollment";
import { mustConfirmFirst } from "./email-confirmation";
import { isPassword } from "./no-password";
import { acceptsPasswords, type PasswordWay } from "./password-rules";
import { passwordStamp } from "./password-stamp";
import type { UserWithPassword } from "./row";
import * as store from "./store";

/** A browser or session that is known to belong to a user. A known device has a separate failure counter. */
export type KnownDevice = Readonly<{
  userId: number;
  id: string;
  /**
   * Whether failures of this device are not counted for the other devices of the user. This is the case for
   * API requests, which must also contain a valid token.
   */
  countsAlone?: true;
}>;

export type PasswordAttempt = Readonly<{
  /** A username or an e-mail address, in upper or lower case. */
  login: string;
  password: string;
  /** The IP address of the request. */
  ipAddress: string;
  way: PasswordWay;
  /** The known devices in the cookies of the request. The devices can belong to several users. */
  devices?: readonly KnownDevice[];
  /** Whether passwords of administrators are accepted. Default: true. */
  administrators?: boolean;
}>;

export type PasswordOutcome =
  | {
      readonly user: User;
      /**
       * A value that changes with the password, so that a record of an older password check can be rejected.
       */
      readonly passwordStamp: string;
    }
  /** `unapproved` is set if the password is correct, but the registration of the user waits for approval. */
  | { readonly refused: "wrong"; readonly unapproved?: true }
  /**
   * The refusal when the rate limit for wrong passwords is exceeded. The refusal does not state whether the
   * password is correct, because the password was not compared.
   */
  | { readonly refused: "limited"; readonly retryAfterSeconds: number };

/**
 * Checks a password. The refusal for a wrong password is also returned, after the same time, for an unknown
 * login name and for a blocked user. The refusal for a wrong password is returned even for a correct
 * password, if passwords of the user are not accepted for this method of sign-in. Only wrong passwords are
 * counted, so simultaneous correct passwords are not limited. Simultaneous guesses are limited, because each
 * guess checks the counters again before the comparison.
 * @throws PasswordsBusy when too many passwords are being checked simultaneously.
 */
export async function tryPassword(
  deps: Deps,
  settings: Settings,
  attempt: PasswordAttempt,
): Promise<PasswordOutcome> {
  const row = await findHuman(deps, attempt.login);
  // The sign-in page itself refuses passwords of users who must use a provider, and shows the name of the
  // provider.
  const providers = attempt.way === "grant" ? await listProviders(deps) : [];
  const isAccepted =
    acceptsPasswords(attempt.way, settings, row !== null && needsMore(deps, settings, row)) &&
    !(attempt.way === "grant" && row !== null && mustConfirmFirst(deps, settings, row.user)) &&
    !(row !== null && enforcedForUser(providers, row.user) !== null) &&
    (attempt.administrators !== false || row?.user.admin !== true);
  const counters = countersOf(settings, attempt, isAccepted ? (row?.user ?? null) : null);
  const checked = await check(deps, counters);
  if (checked.limited !== null) {
    countLimited(checked.exhausted);
    return checked.limited;
  }
  return withPasswordSlot(async () => {
    const { limited, exhausted } = await check(deps, counters);
    countLimited(exhausted);
    if (limited !== null) return limited;
    const stored = row !== null && isPassword(row.passwordDigest) ? row.passwordDigest : null;
    // If a hidden counter is exhausted, every password counts as wrong.
    const digest = isAccepted && exhausted.length === 0 ? stored : null;
    const right = await passwordMatches(deps.passwordCost, attempt.password, digest);
    if (right && row !== null && maySucceed(row.user, attempt.way))
      return { user: row.user, passwordStamp: passwordStamp(row.passwordDigest) };
    if (right && row?.user.state === "blocked_pending_approval" && attempt.way === "sign_in")
      return { refused: "wrong", unapproved: true };
    await countFailure(deps.db, [...counters.shown, ...counters.hidden], deps.clock());
    const about = { userId: row?.user.id ?? null };
    await audit.record(deps, "sign_in.failed", { address: attempt.ipAddress }, about);
    return { refused: "wrong" };
  });
}

/**
 * Returns whether the state of the user allows this use of the password. A deactivated user becomes active
 * again only on the sign-in page.
 */
const maySucceed = ({ state }: User, way: PasswordWay): boolean =>
  way === "sign_in" ? canSignIn(state) : state === "active";

/**
 * Returns the user with this login name; null for an unknown login name and for a bot, which has no password.
 */
async function findHuman(deps: Deps, login: string): Promise<UserWithPassword | null> {
  const row = await store.findByLogin(deps.db, login);
  return row === null || isBot(row.user) ? null : row;
}

/**
 * Returns whether the user has a second factor or must set one up first, so that the password alone is not
 * sufficient.
 */
const needsMore = (deps: Deps, settings: Settings, { user, twoFactorAskedAt }: UserWithPassword): boolean =>
  user.twoFactor ||
  enrollmentOf(settings, { twoFactor: false, askedAt: twoFactorAskedAt }, deps.clock()).kind === "due";

/**
 * The counters of wrong passwords. If a `shown` counter is exhausted, the response reports too many attempts.
 * The key of a `shown` counter is the entered login name, so that the counter reveals nothing about users. If
 * a `hidden` counter is exhausted, every password counts as wrong. The key of a `hidden` counter is the user,
 * so that the username and the e-mail address of a user share one limit. Responses do not reveal that the
 * username and the e-mail address belong to the same user (docs/decisions/0031-password-failures.md).
 */
type Counters = Readonly<{ shown: readonly Subject[]; hidden: readonly Subject[] }>;

/** @param user the user whose password is compared; null for an attempt without a comparison. */
function countersOf(settings: Settings, attempt: PasswordAttempt, user: User | null): Counters {
  const device = attempt.devices?.find(({ userId }) => userId === user?.id);
  if (device !== undefined)
    return {
      shown: [
        limitOf(settings, "password_per_device", `${device.userId} ${device.id}`),
        // An attacker who knew an earlier password of the user may have many device cookies. Therefore, all
        // known devices of a user share an additional limit on wrong passwords.
        ...(device.countsAlone
          ? []
          : [limitOf(settings, "password_per_login_in_all", `devices of user ${device.userId}`)]),
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
  /** The exhausted counters, including hidden counters. */
  exhausted: readonly Subject[];
}>;

async function check(deps: Deps, { shown, hidden }: Counters): Promise<Checked> {
  const exhausted = await exhaustedSubjects(deps.db, [...shown, ...hidden], deps.clock());
  const seconds = shown.flatMap((subject) => exhausted.get(subject) ?? []);
  return {
    limited: seconds.length === 0 ? null : { refused: "limited", retryAfterSeconds: Math.max(...seconds) },
    exhausted: [...exhausted.keys()],
  };
}

/**
 * Returns the known device for an active session. Each session therefore has its own failure counter for
 * re-authentication.
 */
export const deviceOfSession = (session: Session): KnownDevice => ({
  userId: session.user.id,
  id: `session ${session.id}`,
});
