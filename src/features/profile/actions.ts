"use server";

import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { systemDeps } from "@/platform/deps";
import { CLIENT_ADDRESS_HEADER } from "@/platform/http/address";
import { setFlash } from "@/ui/flash";
import { requireSession } from "../sign-in/loaders";
import * as profile from "../users/profile";
import { fieldOf } from "./schema";

const HOME = "/user_settings/profile";

/** What a form shows after it was refused: what was typed, without passwords, and what is wrong. */
export type FormState<Field extends string> = Readonly<{
  typed: Readonly<Partial<Record<Field, string>>>;
  problems: profile.FieldProblems<Field>;
}>;

export type ProfileState = FormState<"name" | "privateProfile">;
export type EmailState = FormState<"email" | "currentPassword">;
export type PasswordState = FormState<"password" | "again" | "currentPassword">;

export async function saveProfile(_before: ProfileState, form: FormData): Promise<ProfileState> {
  const { user } = await requireSession(HOME);
  const name = fieldOf(form, "name");
  const privateProfile = form.get("private_profile") === "true";
  const problems = await profile.changeProfile(systemDeps(), user, { name, privateProfile });
  if (isRefused(problems)) return { typed: { name, privateProfile: String(privateProfile) }, problems };
  return saved("Your profile is saved.");
}

export async function saveEmail(_before: EmailState, form: FormData): Promise<EmailState> {
  const { user } = await requireSession(HOME);
  const email = fieldOf(form, "email");
  const proof = { currentPassword: fieldOf(form, "current_password"), address: await address() };
  const problems = await profile.changeEmail(systemDeps(), user, { email, ...proof });
  if (isRefused(problems)) return { typed: { email }, problems };
  return saved("Your e-mail address is changed.");
}

export async function savePassword(_before: PasswordState, form: FormData): Promise<PasswordState> {
  const session = await requireSession(HOME);
  const problems = await profile.changePassword(systemDeps(), session, {
    password: fieldOf(form, "password"),
    again: fieldOf(form, "password_again"),
    currentPassword: fieldOf(form, "current_password"),
    address: await address(),
  });
  if (isRefused(problems)) return { typed: {}, problems };
  return saved("Your password is changed. You are signed out everywhere else.");
}

const isRefused = (problems: object): boolean => Object.keys(problems).length > 0;

const address = async (): Promise<string> => (await headers()).get(CLIENT_ADDRESS_HEADER) ?? "unknown";

async function saved(text: string): Promise<never> {
  await setFlash(text);
  redirect(HOME);
}
