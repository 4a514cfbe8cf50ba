import { z } from "zod";
import type { Principal, User } from "@/access/principal";
import { badRequest, busy, forbiddenBecause, notFound, unacceptable } from "@/http-api/errors";
import { flag, id, text } from "@/http-api/fields";
import { changeAccount } from "@/identity/users/account-changes";
import { cancelEmailChange, storePendingEmail } from "@/identity/users/email-change";
import { checkPassword, emailsOf, type UserEmail } from "@/identity/users/email-list";
import * as users from "@/identity/users/service";
import { PasswordsBusy } from "@/kernel/crypto/password";
import type { Deps } from "@/kernel/deps/deps";
import { type Page, type Paging, partOf } from "@/kernel/paging/paging";

export const listOwnEmails = async (
  deps: Deps,
  { user }: Principal,
  _input: object,
  paging: Paging,
): Promise<Page<UserEmail>> => partOf(await emailsOf(deps, user), paging);

export const emailReference = z.object({ email_id: id });

/** @throws ApiError 404 when the user has no such e-mail address. */
export const readOwnEmail = (
  deps: Deps,
  { user }: Principal,
  { email_id }: z.infer<typeof emailReference>,
): Promise<UserEmail> => findEmail(deps, user, email_id);

async function findEmail(deps: Deps, user: User, emailId: number): Promise<UserEmail> {
  const email = (await emailsOf(deps, user)).find((each) => each.id === emailId);
  if (email === undefined) throw notFound("Email");
  return email;
}

export const newOwnEmail = z.object({
  email: text(255),
  current_password: z
    .string()
    .max(1_024)
    .describe(
      "Your password. A token is not sufficient to add an e-mail address, because anyone who can read the e-mails to a confirmed e-mail address can reset the password.",
    ),
});

/**
 * Stores a pending e-mail address of the caller. After the confirmation, the pending e-mail address replaces
 * the current e-mail address.
 * @throws ApiError 400 for an invalid e-mail address or a wrong password, 403 if users cannot change their
 * e-mail address.
 */
export async function addOwnEmail(
  deps: Deps,
  { user }: Principal,
  { email, current_password }: z.infer<typeof newOwnEmail>,
): Promise<UserEmail> {
  const outcome = await checkPassword(deps, user, current_password).catch((cause) => {
    throw cause instanceof PasswordsBusy ? busy() : cause;
  });
  if (outcome === "limited") throw forbiddenBecause("Too many wrong passwords. Try again later.");
  const stored =
    outcome === "wrong"
      ? null
      : await users.withCheckedPassword(deps, outcome, async (within) => ({
          problem: await storePendingEmail(within, user, email),
        }));
  if (stored === null) throw unacceptable({ current_password: ["is wrong"] });
  return pendingOf(deps, user, stored.problem);
}

async function pendingOf(deps: Deps, user: User, problem: string | null): Promise<UserEmail> {
  if (problem !== null) throw unacceptable({ email: [problem] });
  const pending = (await emailsOf(deps, user)).find(({ confirmedAt }) => confirmedAt === null);
  if (pending === undefined) throw notFound("Email");
  return pending;
}

/**
 * Cancels the pending e-mail address of the caller.
 * @throws ApiError 404 when the user has no such e-mail address, 400 for the confirmed e-mail address.
 */
export const removeOwnEmail = async (
  deps: Deps,
  { user }: Principal,
  { email_id }: z.infer<typeof emailReference>,
): Promise<void> => remove(deps, user, email_id);

async function remove(deps: Deps, user: User, emailId: number): Promise<void> {
  const { confirmedAt } = await findEmail(deps, user, emailId);
  if (confirmedAt !== null) throw badRequest("The primary email address cannot be deleted");
  if (!(await cancelEmailChange(deps, user)))
    throw badRequest("The only email address of the user cannot be deleted");
}

export const userOfEmails = z.object({ id });
export const emailOfUser = userOfEmails.extend({ email_id: id });

/** @throws ApiError 404 when no user has this id. */
async function userOf(deps: Deps, userId: number): Promise<User> {
  const user = await users.findById(deps, userId);
  if (user === null) throw notFound("User");
  return user;
}

export const listEmailsOfUser = async (
  deps: Deps,
  _caller: Principal,
  input: z.infer<typeof userOfEmails>,
  paging: Paging,
): Promise<Page<UserEmail>> => partOf(await emailsOf(deps, await userOf(deps, input.id)), paging);

export const newEmailOfUser = userOfEmails.extend({
  email: text(255),
  skip_confirmation: flag
    .default(false)
    .describe(
      "If true, the new e-mail address counts as confirmed, and immediately replaces the earlier e-mail address.",
    ),
});

/** @throws ApiError 400 for an invalid or taken e-mail address, 404 for an unknown user. */
export async function addEmailOfUser(
  deps: Deps,
  { user: by }: Principal,
  { id: userId, email, skip_confirmation }: z.infer<typeof newEmailOfUser>,
): Promise<UserEmail> {
  const user = await userOf(deps, userId);
  if (!skip_confirmation) return pendingOf(deps, user, await storePendingEmail(deps, user, email, by));
  const outcome = await changeAccount(deps, by, userId, { email });
  if ("taken" in outcome) throw unacceptable({ email: ["has already been taken"] });
  if ("problems" in outcome) throw unacceptable({ email: [outcome.problems["email"] ?? "is invalid"] });
  if ("refused" in outcome) throw notFound("User");
  const [confirmed] = await emailsOf(deps, outcome.user);
  if (confirmed === undefined) throw notFound("Email");
  return confirmed;
}

/** @throws ApiError 404 for an unknown user or e-mail address, 400 for the confirmed e-mail address. */
export const removeEmailOfUser = async (
  deps: Deps,
  _caller: Principal,
  input: z.infer<typeof emailOfUser>,
): Promise<void> => remove(deps, await userOf(deps, input.id), input.email_id);
