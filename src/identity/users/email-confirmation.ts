import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { newLinkToken, openLinkToken } from "@/instance/mail/link-token";
import { mailIsOn, sendMail } from "@/instance/mail/service";
import { reserve } from "@/instance/rate-limits/counter";
import type { Settings } from "@/instance/settings/catalog";
import { limitOf, readSettings } from "@/instance/settings/service";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import { notify } from "../notices/service";
import * as store from "./store";

const PURPOSE = "email_confirmation";
const VALID_HOURS = 24;

type EmailSettings = Pick<Settings, "email_confirmation_setting">;

/** Returns whether users confirm their e-mail addresses by a link; otherwise, an administrator confirms them. */
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
 * Sends the link that confirms the pending e-mail address of a user, in the transaction of `deps`, if users confirm
 * their e-mail addresses themselves.
 */
export async function sendConfirmationLink(
  deps: Deps,
  user: Pick<User, "id" | "name" | "username">,
  email: string,
): Promise<void> {
  if (!confirmsByLink(deps, await readSettings(deps))) return;
  const token = newLinkToken(deps, PURPOSE, `${user.id} ${email}`, VALID_HOURS * 3600);
  await sendMail(deps, {
    kind: "email_confirmation",
    to: email,
    userId: user.id,
    subject: "Confirm your e-mail address",
    content: {
      recipientName: user.name,
      paragraphs: [`The account @${user.username} asked to use this e-mail address. Confirm it to finish.`],
      action: {
        label: "Confirm e-mail address",
        url: `${deps.config.issuer}/users/confirmation?confirmation_token=${token}`,
      },
      closing: [
        `The link is valid for ${VALID_HOURS} hours. If you do not know this account, ignore this e-mail: without a confirmation, the account cannot use your e-mail address.`,
      ],
    },
    expiresAt: new Date(deps.clock().getTime() + VALID_HOURS * 3_600_000),
  });
}

/**
 * Sends the link for the pending e-mail address of a user again.
 * @returns `none` when no e-mail address is pending; `limited` when too many links were sent.
 */
export async function resendConfirmationLink(deps: Deps, user: User): Promise<"sent" | "none" | "limited"> {
  const pending = (await store.findProfile(deps.db, user.id))?.pendingEmail;
  if (!pending) return "none";
  const limit = limitOf(await readSettings(deps), "email_confirmation_per_user", String(user.id));
  if ((await reserve(deps.db, [limit], deps.clock())) !== null) return "limited";
  await sendConfirmationLink(deps, user, pending.email);
  return "sent";
}

/**
 * Returns the user and the e-mail address of a confirmation link; null if the link is invalid, has expired, or was
 * already used.
 */
export async function openConfirmation(
  deps: Deps,
  token: string,
): Promise<Readonly<{ user: User; email: string }> | null> {
  const text = openLinkToken(deps, PURPOSE, token);
  if (text === null) return null;
  const [, id = "", email = ""] = /^(\d+) (.+)$/.exec(text) ?? [];
  const user = await store.findById(deps.reads, Number(id));
  if (user?.state !== "active") return null;
  const profile = await store.findProfile(deps.db, user.id);
  return profile?.pendingEmail?.email === email ? { user, email } : null;
}

/**
 * Confirms the e-mail address of a confirmation link. The previous e-mail address gets a notice.
 * @returns the user; `taken` when another user has the e-mail address.
 */
export async function confirmEmailByLink(deps: Deps, token: string): Promise<User | "invalid" | "taken"> {
  const opened = await openConfirmation(deps, token);
  if (opened === null) return "invalid";
  const { user, email } = opened;
  try {
    const isConfirmed = await deps.transaction(async (within) => {
      if (!(await store.confirmPendingEmail(within.db, user.id, email))) return false;
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
