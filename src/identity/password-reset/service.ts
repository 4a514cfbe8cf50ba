import { canSignIn, type User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { newLinkToken, openLinkToken } from "@/instance/mail/link-token";
import { sendMail } from "@/instance/mail/service";
import { reserveInOrder } from "@/instance/rate-limits/counter";
import { limitOf, readSettings } from "@/instance/settings/service";
import { passwordDigest } from "@/kernel/crypto/password";
import type { Deps } from "@/kernel/deps/deps";
import type { Browser } from "@/kernel/http/form-response";
import { sourceNetwork } from "@/kernel/http/ip-address";
import { notify } from "../notices/service";
import { enforcedForUser, type Provider } from "../providers/rules";
import { listProviders } from "../providers/service";
import { newPasswordProblem } from "../users/new-password";
import * as users from "../users/service";

/** The lifetime of a link for a password reset. */
export const RESET_MINUTES = 30;

const PURPOSE = "password_reset";

/**
 * Sends a link to choose a new password to the user with this confirmed e-mail address. For an unknown e-mail
 * address, the function runs the same database statements. The result and the duration of the function
 * therefore do not reveal whether a user with this e-mail address exists.
 * @returns null, or the seconds until the next allowed request when the rate limit is exceeded.
 */
export async function requestPasswordReset(
  deps: Deps,
  { email, ipAddress }: Readonly<{ email: string; ipAddress: string }>,
): Promise<number | null> {
  const settings = await readSettings(deps);
  const counted = [
    limitOf(settings, "password_reset_per_email", email.toLowerCase()),
    limitOf(settings, "password_reset_per_address", sourceNetwork(ipAddress)),
  ];
  const retryAfterSeconds = await reserveInOrder(deps.db, counted, deps.clock());
  if (retryAfterSeconds !== null) return retryAfterSeconds;
  const row = await users.findByEmailWithStamp(deps, email);
  // The statement that reads the providers also runs for an unknown e-mail address.
  const providers = await listProviders(deps);
  const account = row !== null && mayReset(providers, row.user) ? row : null;
  await deps.transaction(async (within) => {
    const { clock, config } = within;
    const token = newLinkToken(within, PURPOSE, textOf(account), RESET_MINUTES * 60);
    await sendMail(within, {
      kind: "password_reset",
      to: account?.user.email ?? null,
      userId: account?.user.id ?? null,
      subject: "Reset your password",
      content: {
        recipientName: account?.user.name ?? "",
        paragraphs: [
          `Someone, probably you, asked for a link to choose a new password for the account @${account?.user.username ?? ""}.`,
        ],
        action: {
          label: "Choose a new password",
          url: `${config.issuer}/users/password/edit?reset_password_token=${token}`,
        },
        closing: [
          `The link is valid for ${RESET_MINUTES} minutes and can be used once. If you did not ask for this link, ignore this e-mail: your password stays unchanged.`,
        ],
      },
      expiresAt: new Date(clock().getTime() + RESET_MINUTES * 60_000),
    });
    const about = { userId: account?.user.id ?? null };
    await audit.record(within, "password_reset.requested", { address: ipAddress }, about);
  });
  return null;
}

/**
 * Returns the text that a password reset link contains in encrypted form. The text identifies the user, the
 * current password and the e-mail address. A password reset link therefore becomes invalid when the password
 * or the e-mail address changes.
 */
const textOf = (row: users.UserWithStamp | null): string =>
  `${row?.user.id ?? 0} ${row?.passwordStamp ?? "-"} ${row?.user.email ?? "-"}`;

/** Returns the user of a password reset link; null if the link is invalid, has expired, or was already used. */
export async function openPasswordReset(deps: Deps, token: string): Promise<User | null> {
  return (await openReset(deps, token))?.user ?? null;
}

async function openReset(deps: Deps, token: string): Promise<users.UserWithStamp | null> {
  const text = openLinkToken(deps, PURPOSE, token);
  if (text === null) return null;
  const row = await users.findWithStamp(deps, Number(text.split(" ", 1)[0]));
  return row !== null && textOf(row) === text && mayReset(await listProviders(deps), row.user) ? row : null;
}

/**
 * Returns whether a user can set a new password by a password reset link. A user who must sign in with a
 * provider cannot use a password.
 */
const mayReset = (providers: readonly Provider[], user: User): boolean =>
  canSignIn(user.state) && enforcedForUser(providers, user) === null;

export type ResetOutcome =
  | Readonly<{ user: User }>
  | Readonly<{ problems: Readonly<{ password?: string; again?: string }> }>
  | "invalid";

/**
 * Sets a new password for the user of a password reset link. The function ends the sessions of the user and revokes
 * their grants and personal access tokens. The function does not sign the user in: a second factor is still required.
 * @throws PasswordsBusy when too many passwords are being hashed simultaneously.
 */
export async function resetPasswordByLink(
  deps: Deps,
  token: string,
  typed: Readonly<{ password: string; again: string }>,
  browser: Browser,
): Promise<ResetOutcome> {
  const row = await openReset(deps, token);
  if (row === null) return "invalid";
  const problem = await newPasswordProblem(deps, typed.password, row.user);
  if (problem !== null) return { problems: { password: `The new password ${problem}.` } };
  if (typed.password !== typed.again)
    return { problems: { again: "The passwords do not match. Enter the new password again." } };
  const digest = await passwordDigest(deps.passwordCost, typed.password);
  // The password stamp changes with the password, so exactly one of several simultaneous requests succeeds.
  const user = await users.withCheckedPassword(deps, row, async (within) => {
    // The e-mail address of the user may have changed after the link was opened.
    if ((await openReset(within, token)) === null) return null;
    await users.replacePassword(within, row.user, digest);
    await audit.record(
      within,
      "password_reset.completed",
      { address: browser.ipAddress },
      { userId: row.user.id },
    );
    await notify(within, row.user, "password_changed", { browser });
    return row.user;
  });
  return user === null ? "invalid" : { user };
}
