import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { newLinkToken, openLinkToken } from "@/instance/mail/link-token";
import { mailIsOn, sendMail } from "@/instance/mail/service";
import { reserveInOrder } from "@/instance/rate-limits/counter";
import type { Settings } from "@/instance/settings/catalog";
import { limitOf, readSettings } from "@/instance/settings/service";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import { notify } from "../notices/service";
import { enforcedProviderOf } from "../providers/service";
import { passwordStamp } from "./password-stamp";
import * as pendingEmailStore from "./pending-email-store";
import type { UserWithPassword } from "./row";
import * as store from "./store";

const PURPOSE = "email_confirmation";
const VALID_HOURS = 24;

type EmailSettings = Pick<Settings, "email_confirmation_setting">;

/**
 * Returns whether users confirm their e-mail addresses with a link; false if only administrators confirm e-mail
 * addresses.
 */
export const confirmsByLink = (deps: Pick<Deps, "config">, settings: EmailSettings): boolean =>
  mailIsOn(deps) && settings.email_confirmation_setting !== "off";

/** Returns whether this user must confirm an e-mail address before signing in. */
export const mustConfirmFirst = (
  deps: Pick<Deps, "config">,
  settings: EmailSettings,
  user: Pick<User, "emailVerified" | "admin">,
): boolean =>
  mailIsOn(deps) && settings.email_confirmation_setting === "hard" && !user.emailVerified && !user.admin;

/**
 * Sends the link that confirms the pending e-mail address of a user, if users confirm their e-mail addresses
 * themselves. The function runs in the transaction of `deps`. A user who must sign in with a provider gets no
 * link. Only an administrator can confirm a new e-mail address of a user who must sign in with a provider,
 * because the new e-mail address could have another domain.
 */
export async function sendConfirmationLink(
  deps: Deps,
  user: Pick<User, "id" | "username">,
  email: string,
): Promise<void> {
  if (!confirmsByLink(deps, await readSettings(deps))) return;
  const row = await store.findWithPassword(deps.db, user.id);
  if (row === null || (await enforcedProviderOf(deps, row.user)) !== null) return;
  const token = newLinkToken(deps, PURPOSE, textOf(row, email), VALID_HOURS * 3600);
  await sendMail(deps, {
    kind: "email_confirmation",
    to: email,
    userId: user.id,
    subject: "Confirm your e-mail address",
    content: {
      // The recipient may be a stranger, so the e-mail contains no text that the user chose freely, such as the name.
      recipientName: `@${user.username}`,
      paragraphs: [
        `The user @${user.username} asked to use this e-mail address. Confirm the e-mail address to finish.`,
      ],
      action: {
        label: "Confirm e-mail address",
        url: `${deps.config.issuer}/users/confirmation?confirmation_token=${token}`,
      },
      closing: [
        `The link is valid for ${VALID_HOURS} hours. If you do not know this user, ignore this e-mail: without your confirmation, the account of the user cannot use your e-mail address.`,
      ],
    },
    expiresAt: new Date(deps.clock().getTime() + VALID_HOURS * 3_600_000),
  });
}

/**
 * Returns the text that a confirmation link contains in encrypted form. The text identifies the user, the
 * current password and the pending e-mail address. A confirmation link therefore becomes invalid when the
 * password or the pending e-mail address changes.
 */
const textOf = (row: UserWithPassword, email: string): string =>
  `${row.user.id} ${passwordStamp(row.passwordDigest)} ${email}`;

/**
 * Counts a confirmation link in the rate limits of the e-mail address and, if a user is given, of the user.
 * The confirmation link is not counted while administrators confirm e-mail addresses.
 * @returns null, or the seconds until the next allowed link when a rate limit is exceeded.
 */
export async function reserveConfirmationLink(
  deps: Deps,
  settings: Settings,
  { userId, email }: Readonly<{ userId?: number; email: string }>,
): Promise<number | null> {
  if (!confirmsByLink(deps, settings)) return null;
  const counted = [
    ...(userId === undefined ? [] : [limitOf(settings, "email_confirmation_per_user", String(userId))]),
    limitOf(settings, "email_confirmation_per_email", email.toLowerCase()),
  ];
  return reserveInOrder(deps.db, counted, deps.clock());
}

/** The result of a request for another confirmation link. */
export type ResentLink = "sent" | "none" | "limited" | "off";

/**
 * Sends the link for the pending e-mail address of a user again.
 * @returns `none` when no e-mail address is pending; `limited` when too many links were sent; `off` when only
 * an administrator can confirm the e-mail address.
 */
export async function resendConfirmationLink(deps: Deps, user: User): Promise<ResentLink> {
  const settings = await readSettings(deps);
  if (!confirmsByLink(deps, settings) || (await enforcedProviderOf(deps, user)) !== null) return "off";
  const email = (await store.findProfile(deps.reads, user.id))?.pendingEmail?.email;
  if (email === undefined) return "none";
  if ((await reserveConfirmationLink(deps, settings, { userId: user.id, email })) !== null) return "limited";
  await sendConfirmationLink(deps, user, email);
  return "sent";
}

/**
 * Cancels the pending e-mail change of a user, in the transaction of `deps`. The only e-mail address of a
 * user is not canceled while it is pending, because otherwise the user could never confirm an e-mail address.
 * @returns whether an e-mail change was canceled.
 */
export async function cancelPendingEmail(deps: Deps, userId: number): Promise<boolean> {
  if (!(await pendingEmailStore.clearPendingEmail(deps.db, userId))) return false;
  await audit.record(deps, "email_change.canceled", {}, { userId });
  return true;
}

/**
 * Returns the user and the e-mail address for which a confirmation link was created. The result is null for a
 * link that is invalid, expired or already used, or that was sent before the last change of the password. The
 * result is also null if administrators confirm e-mail addresses, or if the user must sign in with a
 * provider.
 */
export async function openConfirmation(
  deps: Deps,
  token: string,
): Promise<Readonly<{ user: User; email: string }> | null> {
  const text = openLinkToken(deps, PURPOSE, token);
  if (text === null || !confirmsByLink(deps, await readSettings(deps))) return null;
  const row = await store.findWithPassword(deps.db, Number(text.split(" ", 1)[0]));
  if (row === null || row.user.state === "blocked") return null;
  if ((await enforcedProviderOf(deps, row.user)) !== null) return null;
  const email = (await store.findProfile(deps.reads, row.user.id))?.pendingEmail?.email;
  return email !== undefined && textOf(row, email) === text ? { user: row.user, email } : null;
}

/**
 * Confirms the e-mail address for which a confirmation link was created. The previous e-mail address gets a
 * notice.
 * @returns the user; `taken` when another user has the e-mail address.
 */
export async function confirmEmailByLink(deps: Deps, token: string): Promise<User | "invalid" | "taken"> {
  const opened = await openConfirmation(deps, token);
  if (opened === null) return "invalid";
  const { user, email } = opened;
  try {
    const isConfirmed = await deps.transaction(async (within) => {
      // A simultaneous password reset or e-mail change makes the link invalid.
      await store.lock(within.db, user.id);
      if ((await openConfirmation(within, token)) === null) return false;
      if (!(await pendingEmailStore.confirmPendingEmail(within.db, user.id, email))) return false;
      await audit.record(within, "email.confirmed", {}, { userId: user.id });
      await notify(within, user, "email_changed", { facts: [["New e-mail address", email]] });
      return true;
    });
    return isConfirmed ? user : "invalid";
  } catch (cause) {
    if (isUniqueViolation(cause)) return "taken";
    throw cause;
  }
}
