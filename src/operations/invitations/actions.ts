"use server";

import { redirect } from "next/navigation";
import { adminAction, adminFormAction } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { readId } from "@/kernel/http/query";
import { setFlash } from "@/ui/appearance/flash";
import type { InviteFormState } from "@/workspace/invitations/components/invite-form";
import { REFUSAL_TEXTS } from "@/workspace/invitations/labels";
import { readEmail } from "@/workspace/invitations/schema";
import { invite, resendInvitation, revokeInvitation } from "@/workspace/invitations/service";
import { INVITATIONS } from "./loaders";

const INSTANCE = { target: { kind: "instance" }, held: null } as const;
const page = (): string => INVITATIONS;

/** Sends an e-mail that invites the recipient to the instance. */
export const inviteUser = adminFormAction<InviteFormState>(page, async ({ user }, form) => {
  const email = readEmail(form);
  const terms = { email, role: null, expiresAt: null };
  const outcome = await invite(systemDeps(), { ...INSTANCE, by: user }, terms);
  if (typeof outcome === "string") return { email, problem: REFUSAL_TEXTS[outcome] };
  await setFlash(`An invitation was sent to ${email}.`);
  redirect(INVITATIONS);
});

/** Sends the link of an invitation again. */
export const resendUserInvitation = adminAction(page, async ({ user }, form) => {
  const refused = await resendInvitation(systemDeps(), { ...INSTANCE, by: user }, invitationIn(form));
  await leave(
    refused === null
      ? "The invitation was sent again. Earlier links are no longer valid."
      : REFUSAL_TEXTS[refused],
  );
});

/** Revokes an invitation. */
export const revokeUserInvitation = adminAction(page, async ({ user }, form) => {
  const refused = await revokeInvitation(systemDeps(), { ...INSTANCE, by: user }, invitationIn(form));
  await leave(
    refused === null
      ? "The invitation is revoked. The link of the invitation is no longer valid."
      : REFUSAL_TEXTS[refused],
  );
});

const invitationIn = (form: FormData): number => readId(String(form.get("invitation_id"))) ?? 0;

async function leave(text: string): Promise<never> {
  await setFlash(text);
  redirect(INVITATIONS);
}
