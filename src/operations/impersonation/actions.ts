"use server";

import { redirect } from "next/navigation";
import { adminAction, adminFormAction } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { readId, readReference } from "@/kernel/http/query";
import type { CreationState } from "@/oauth/personal-access-tokens/actions";
import {
  createImpersonationToken,
  findImpersonationToken,
  revokeImpersonationToken,
} from "@/oauth/personal-access-tokens/impersonation";
import { readPersonalTokenForm } from "@/oauth/personal-access-tokens/schema";
import { setFlash } from "@/ui/appearance/flash";
import { impersonationPath, requireImpersonated } from "./loaders";

const ownerIn = (form: FormData): string => readReference(form, "user_id");

export const createImpersonation = adminFormAction<CreationState>(
  (form) => `${impersonationPath(ownerIn(form))}/new`,
  async (_session, form) => {
    const draft = readPersonalTokenForm(form);
    const { owner, by } = await requireImpersonated(ownerIn(form), "/new");
    const outcome = await createImpersonationToken(systemDeps(), owner, draft, by);
    if (outcome === null)
      return {
        kind: "editing",
        draft,
        problems: { name: ["You cannot create an impersonation token for a bot."] },
      };
    if ("problems" in outcome) return { kind: "editing", draft, problems: outcome.problems };
    return { kind: "created", name: outcome.token.name, value: outcome.value };
  },
);

export const revokeImpersonation = adminAction(
  (form) => impersonationPath(ownerIn(form)),
  async (_session, form) => {
    const deps = systemDeps();
    const { owner, by, url } = await requireImpersonated(ownerIn(form));
    const id = readId(readReference(form, "id")) ?? 0;
    const token = await findImpersonationToken(deps, owner.id, id);
    if (token !== null && (await revokeImpersonationToken(deps, token, by)))
      await setFlash("The token is revoked.");
    redirect(url);
  },
);
