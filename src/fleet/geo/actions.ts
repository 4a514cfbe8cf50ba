"use server";

import { redirect } from "next/navigation";
import { adminFormAction } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { readId } from "@/kernel/paging/keyset";
import { setFlash } from "@/ui/appearance/flash";
import type { FieldErrors } from "@/workspace/naming/path";
import { sitePage } from "./loaders";
import { changesIn, readSiteForm, type SiteDraft } from "./schema";
import { updateSite } from "./service";

/** The submitted values of the Geo site form, and its field errors. */
export type SiteFormState = Readonly<{ draft: SiteDraft; problems: FieldErrors }>;

const idIn = (form: FormData): string => String(form.get("id") ?? "");

export const saveSite = adminFormAction<SiteFormState>(
  (form) => sitePage(idIn(form)),
  async ({ user }, form) => {
    const draft = readSiteForm(form);
    const changes = changesIn(draft);
    if ("problems" in changes) return { draft, problems: changes.problems };
    const outcome = await updateSite(systemDeps(), user, readId(idIn(form)) ?? 0, changes);
    if (outcome !== null && "problems" in outcome) return { draft, problems: outcome.problems };
    await setFlash(outcome === null ? "The site no longer exists." : "The site is saved.");
    redirect(outcome === null ? "/admin" : sitePage(idIn(form)));
  },
);
