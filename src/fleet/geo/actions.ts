"use server";

import { redirect } from "next/navigation";
import { adminAction, adminFormAction } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { readId } from "@/kernel/http/query";
import { setFlash } from "@/ui/appearance/flash";
import type { FieldErrors } from "@/workspace/naming/path";
import { sitePage } from "./loaders";
import { changesIn, type NewSiteDraft, readNewSiteForm, readSiteForm, type SiteDraft } from "./schema";
import { createSite, removeSite, updateSite } from "./service";

/** The submitted values and the field errors of the form that edits a Geo site. */
export type SiteFormState = Readonly<{ draft: SiteDraft; problems: FieldErrors }>;

const SITES = "/admin/geo/sites";

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
    redirect(outcome === null ? SITES : sitePage(idIn(form)));
  },
);

/** The submitted values and the field errors of the form that adds a Geo site. */
export type NewSiteState = Readonly<{ draft: NewSiteDraft; problems: FieldErrors }>;

export const addSite = adminFormAction<NewSiteState>(
  () => `${SITES}/new`,
  async ({ user }, form) => {
    const draft = readNewSiteForm(form);
    const { name, url } = draft;
    const outcome = await createSite(systemDeps(), user, { name, url }, draft.primary);
    if ("problems" in outcome) return { draft, problems: outcome.problems };
    await setFlash("The site is added.");
    redirect(SITES);
  },
);

export const deleteSite = adminAction(
  () => SITES,
  async ({ user }, form) => {
    const isRemoved = await removeSite(systemDeps(), user, readId(idIn(form)) ?? 0);
    await setFlash(isRemoved ? "The site is removed." : "The site no longer exists.");
    redirect(SITES);
  },
);
