"use server";

import { redirect } from "next/navigation";
import { reauthenticatedAction } from "@/identity/sessions/loaders";
import { signInPath } from "@/identity/sessions/sign-in-path";
import { requestOwnDeletion } from "@/identity/users/account-deletion";
import { systemDeps } from "@/kernel/deps/deps";
import { setFlash } from "@/ui/appearance/flash";
import { DELETE_ACCOUNT } from "./loaders";

const REFUSED = {
  last_administrator:
    "You are the last administrator of this instance. Make another user an administrator first.",
  sole_owner: "You are the only owner of a group. Make another user an owner, or delete the group first.",
  gone: "The deletion of your account was already requested.",
} as const;

/** Requests the deletion of the own account. The user must enter the username. */
export const deleteOwnAccount = reauthenticatedAction(
  () => DELETE_ACCOUNT,
  async ({ user }, form) => {
    if (String(form.get("username") ?? "").trim() !== user.username)
      await refuse("The entered username is not your username. Your account is not deleted.");
    const outcome = await requestOwnDeletion(systemDeps(), user);
    if (typeof outcome === "string") await refuse(REFUSED[outcome]);
    redirect(signInPath({ returnTo: "/", done: "deletion_requested" }));
  },
);

async function refuse(text: string): Promise<never> {
  await setFlash(text);
  redirect(DELETE_ACCOUNT);
}
