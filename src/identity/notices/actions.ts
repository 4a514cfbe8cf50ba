"use server";

import { redirect } from "next/navigation";
import { setWantedMails } from "@/instance/mail/opt-outs";
import { systemDeps } from "@/kernel/deps/deps";
import { setFlash } from "@/ui/appearance/flash";
import { requireSession } from "../sessions/loaders";

const HOME = "/user_settings/notifications";

/** Stores which optional e-mails the user gets. */
export async function saveMailChoices(form: FormData): Promise<void> {
  const { user } = await requireSession(HOME);
  await setWantedMails(systemDeps(), user.id, form.getAll("kind").map(String));
  await setFlash("Your choice is saved.");
  redirect(HOME);
}
