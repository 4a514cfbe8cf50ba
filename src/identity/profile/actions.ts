"use server";

import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { readSettings } from "@/instance/settings/service";
import { systemDeps } from "@/kernel/deps/deps";
import { CLIENT_IP_HEADER } from "@/kernel/http/ip-address";
import { readPicture } from "@/kernel/picture/uploaded-picture";
import { setFlash } from "@/ui/appearance/flash";
import { requireRecentAuthentication, requireSession } from "../sessions/loaders";
import type { Session } from "../sessions/service";
import { removeAvatar, setAvatar } from "../users/avatar";
import { cancelEmailChange, requestEmailChange } from "../users/email-change";
import { confirmsByLink, resendConfirmationLink } from "../users/email-confirmation";
import * as profile from "../users/profile";
import { fieldOf } from "./schema";

const HOME = "/user_settings/profile";

/**
 * The state of a profile form after a refused submission: the entered values without passwords, and the field
 * errors.
 */
export type FormState<Field extends string> = Readonly<{
  typed: Readonly<Partial<Record<Field, string>>>;
  problems: profile.FieldProblems<Field>;
}>;

export type ProfileState = FormState<"name" | "privateProfile">;
export type EmailState = FormState<"email" | "currentPassword">;
export type PasswordState = FormState<"password" | "again" | "currentPassword"> &
  Readonly<{ revokesAccess: boolean }>;

export async function saveProfile(_before: ProfileState, form: FormData): Promise<ProfileState> {
  const { user } = await requireSession(HOME);
  const name = fieldOf(form, "name");
  const privateProfile = form.get("private_profile") === "true";
  const problems = await profile.changeProfile(systemDeps(), user, { name, privateProfile });
  if (isRefused(problems)) return { typed: { name, privateProfile: String(privateProfile) }, problems };
  return saved("Your profile is saved.");
}

export async function saveEmail(_before: EmailState, form: FormData): Promise<EmailState> {
  const session = await requirePasswordOrRecentSession();
  const email = fieldOf(form, "email");
  const confirmation = { currentPassword: fieldOf(form, "current_password"), ipAddress: await ipAddress() };
  const problems = await requestEmailChange(systemDeps(), session, { email, ...confirmation });
  if (isRefused(problems)) return { typed: { email }, problems };
  return saved(
    (await confirmsEmailByLink())
      ? `Open the link in the e-mail to ${email.trim()} to confirm the new e-mail address.`
      : "The new e-mail address is waiting for confirmation by an administrator.",
  );
}

/** Sends the link for the pending e-mail address again. */
export async function resendEmail(): Promise<void> {
  const { user } = await requireSession(HOME);
  await saved(RESENT[await resendConfirmationLink(systemDeps(), user)]);
}

const RESENT = {
  sent: "Another link was sent.",
  none: "No e-mail address is pending.",
  off: "No link is needed: an administrator confirms your e-mail address.",
  limited: "Too many links were sent. Try again in an hour.",
} as const;

const confirmsEmailByLink = async (): Promise<boolean> =>
  confirmsByLink(systemDeps(), await readSettings(systemDeps()));

/** Cancels the pending e-mail change. */
export async function cancelEmail(): Promise<void> {
  const { user } = await requireSession(HOME);
  const canceled = await cancelEmailChange(systemDeps(), user);
  await saved(
    canceled
      ? "Your request for a new e-mail address is canceled."
      : user.emailVerified
        ? "No e-mail address is pending."
        : "Your account has no confirmed e-mail address, so the request for a new e-mail address cannot be canceled. Request another e-mail address instead.",
  );
}

export async function savePassword(_before: PasswordState, form: FormData): Promise<PasswordState> {
  const session = await requirePasswordOrRecentSession();
  const revokesAccess = form.get("revoke_access") === "true";
  const problems = await profile.changePassword(systemDeps(), session, {
    password: fieldOf(form, "password"),
    again: fieldOf(form, "password_again"),
    revokesAccess,
    currentPassword: fieldOf(form, "current_password"),
    ipAddress: await ipAddress(),
  });
  if (isRefused(problems)) return { typed: {}, problems, revokesAccess };
  return saved(
    revokesAccess
      ? "Your password is changed. You are signed out everywhere else, and your tokens are revoked."
      : "Your password is changed.",
  );
}

/** The state of the avatar form: the error of the uploaded picture, if any. */
export type AvatarState = Readonly<{ problem: string | null }>;

export async function uploadAvatar(_before: AvatarState, form: FormData): Promise<AvatarState> {
  const { user } = await requireSession(HOME);
  const outcome = await setAvatar(systemDeps(), user, await readPicture(form, "avatar"));
  return "problem" in outcome ? outcome : saved("Your avatar is saved.");
}

export async function deleteAvatar(): Promise<void> {
  const { user } = await requireSession(HOME);
  await saved((await removeAvatar(systemDeps(), user)) ? "Your avatar is removed." : "You have no avatar.");
}

/**
 * Returns the session of a user who is about to enter the current password. A user without a password is redirected to
 * the re-authentication page first.
 */
async function requirePasswordOrRecentSession(): Promise<Session> {
  const session = await requireSession(HOME);
  return (await profile.hasPassword(systemDeps(), session.user))
    ? session
    : requireRecentAuthentication(HOME);
}

const isRefused = (problems: object): boolean => Object.keys(problems).length > 0;

const ipAddress = async (): Promise<string> => (await headers()).get(CLIENT_IP_HEADER) ?? "unknown";

async function saved(text: string): Promise<never> {
  await setFlash(text);
  redirect(HOME);
}
