"use server";

import { redirect } from "next/navigation";
import { systemDeps } from "@/kernel/deps/deps";
import { readId } from "@/kernel/http/query";
import { setFlash } from "@/ui/appearance/flash";
import { requireSession } from "./loaders";
import * as sessions from "./own-sessions";

const HOME = "/user_settings/sessions";

export async function endSession(form: FormData): Promise<void> {
  const session = await requireSession(HOME);
  const id = readId(String(form.get("id"))) ?? 0;
  if (await sessions.endOwnSession(systemDeps(), session, id)) await setFlash("The browser is signed out.");
  redirect(HOME);
}

export async function endOtherSessions(): Promise<void> {
  const session = await requireSession(HOME);
  await sessions.endOtherSessions(systemDeps(), session);
  await setFlash("All other browsers are signed out.");
  redirect(HOME);
}
