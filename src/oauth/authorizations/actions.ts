"use server";

import { redirect } from "next/navigation";
import { requireSession } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { readId } from "@/kernel/http/query";
import { setFlash } from "@/ui/appearance/flash";
import { endGrantsWithoutApplication, endOwnGrant } from "../tokens/live-grants";
import { revokeUnused } from "./authorized-application";
import { withdrawConsent } from "./service";

const HOME = "/user_settings/authorized_applications";

/** Revokes one grant, and redirects to the page that lists the grants. */
export async function revokeGrant(form: FormData): Promise<void> {
  const { user } = await requireSession(HOME);
  const grantId = readId(String(form.get("id"))) ?? 0;
  if (await endOwnGrant(systemDeps(), { userId: user.id, grantId })) await setFlash("The token is revoked.");
  const application = String(form.get("application") ?? "");
  redirect(/^(?:none|[1-9]\d{0,8})$/.test(application) ? `${HOME}/${application}` : HOME);
}

/** Revokes all access of one application to the account of the signed-in user. */
export async function revokeApplication(form: FormData): Promise<void> {
  const { user } = await requireSession(HOME);
  const applicationId = readId(String(form.get("id"))) ?? 0;
  if (await withdrawConsent(systemDeps(), { userId: user.id, applicationId }))
    await setFlash(
      "Access is revoked. The application must ask for your consent before it can use your account again.",
    );
  redirect(HOME);
}

/** Revokes the access of all applications that the signed-in user has not used for a long time. */
export async function revokeUnusedApplications(): Promise<void> {
  const { user } = await requireSession(HOME);
  const count = await revokeUnused(systemDeps(), user.id);
  await setFlash(`Access was revoked for ${count} unused ${count === 1 ? "application" : "applications"}.`);
  redirect(HOME);
}

/** Revokes all grants of the signed-in user that have no application. */
export async function revokeGrantsWithoutApplication(): Promise<void> {
  const { user } = await requireSession(HOME);
  if ((await endGrantsWithoutApplication(systemDeps(), user.id)) > 0)
    await setFlash("The tokens are revoked.");
  redirect(HOME);
}
