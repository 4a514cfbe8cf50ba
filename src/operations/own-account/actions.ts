"use server";

import { redirect } from "next/navigation";
import { reauthenticatedAction } from "@/identity/sessions/loaders";
import { signInPath } from "@/identity/sessions/sign-in-path";
import { systemDeps } from "@/kernel/deps/deps";
import { setFlash } from "@/ui/appearance/flash";
import { deleteOwnAccount as requestDeletion } from "../administration/user-deletion";
import { DELETE_ACCOUNT } from "./loaders";

const REFUSED = {
  last_administrator:
    "You are the last administrator of this instance. Make another user an administrator first.",
  sole_owner:
    "You are the only active owner of a group. Make another user an owner, or delete the group first.",
  gone: "The deletion of your account was already requested.",
} as const;

/** Requests the deletion of the user's own account. The user must enter the username. */
export const deleteOwnAccount = reauthenticatedAction(
  () => DELETE_ACCOUNT,
  async ({ user }, form) => {
    if (String(form.get("username") ?? "").trim() !== user.username)
      await refuse("The entered username is not your username. Your account was not deleted.");
    const transferTo = String(form.get("transfer_to") ?? "").slice(0, 1_000);
    const outcome = await requestDeletion(systemDeps(), user, transferTo);
    if (typeof outcome === "string") await refuse(REFUSED[outcome]);
    else if ("problem" in outcome) await refuse(`${outcome.problem} Your account was not deleted.`);
    redirect(signInPath({ returnTo: "/", done: "deletion_requested" }));
  },
);

async function refuse(text: string): Promise<never> {
  await setFlash(text);
  redirect(DELETE_ACCOUNT);
}
