"use server";

import { redirect } from "next/navigation";
import { requireSession } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { readId } from "@/kernel/paging/keyset";
import { setFlash } from "@/ui/appearance/flash";
import { endGrantsWithoutApplication, endOwnGrant } from "../tokens/live-grants";
import { withdrawConsent } from "./service";

const HOME = "/user_settings/authorized_applications";

/** Ends one grant; the person stays on the page that the form was on. */
export async function revokeGrant(form: FormData): Promise<void> {
  const { user } = await requireSession(HOME);
  const grantId = readId(String(form.get("id"))) ?? 0;
  if (await endOwnGrant(systemDeps(), { userId: user.id, grantId }))
    await setFlash("Revoked. That token does not work any more.");
  const application = String(form.get("application") ?? "");
  redirect(/^(?:none|[1-9]\d{0,8})$/.test(application) ? `${HOME}/${application}` : HOME);
}

/** Takes back all that one application was allowed. */
export async function revokeApplication(form: FormData): Promise<void> {
  const { user } = await requireSession(HOME);
  const applicationId = readId(String(form.get("id"))) ?? 0;
  if (await withdrawConsent(systemDeps(), { userId: user.id, applicationId }))
    await setFlash("Revoked. It has to ask you again before it can use your account.");
  redirect(HOME);
}

/** Ends all that was given away without any application. */
export async function revokeGrantsWithoutApplication(): Promise<void> {
  const { user } = await requireSession(HOME);
  if ((await endGrantsWithoutApplication(systemDeps(), user.id)) > 0)
    await setFlash("Revoked. None of these tokens works any more.");
  redirect(HOME);
}
