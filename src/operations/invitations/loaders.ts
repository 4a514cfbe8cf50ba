import { heldFormOf, requireAdmin } from "@/identity/sessions/loaders";
import { mailIsOn } from "@/instance/mail/service";
import { systemDeps } from "@/kernel/deps/deps";
import { listInvitations } from "@/workspace/invitations/service";

export const INVITATIONS = "/admin/invitations";

/** Loads the pending invitations to the instance, for an administrator. */
export async function loadInvitations() {
  await requireAdmin(INVITATIONS);
  const deps = systemDeps();
  const held = (await heldFormOf(INVITATIONS))?.get("email");
  return {
    invitations: await listInvitations(deps, { kind: "instance" }),
    held: typeof held === "string" ? held : null,
    mailIsOn: mailIsOn(deps),
    now: deps.clock(),
  };
}
