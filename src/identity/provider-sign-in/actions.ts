"use server";

import { redirect } from "next/navigation";
import { systemDeps } from "@/kernel/deps/deps";
import { readId } from "@/kernel/http/query";
import { setFlash } from "@/ui/appearance/flash";
import { unlinkIdentity } from "../linked-identities/service";
import { reauthenticatedAction } from "../sessions/loaders";
import { LINKED_ACCOUNTS_PATH } from "./link-page";

/** Unlinks an account at a provider from the signed-in user. */
export const unlinkAccount = reauthenticatedAction(
  () => LINKED_ACCOUNTS_PATH,
  async ({ user }, form) => {
    const outcome = await unlinkIdentity(systemDeps(), user, readId(String(form.get("id"))) ?? 0);
    await setFlash(
      outcome === null
        ? "This account is not linked."
        : outcome === "only_way"
          ? "This is your only way to sign in. Set a password or link another account first."
          : `The account ${outcome.account} is unlinked.`,
    );
    redirect(LINKED_ACCOUNTS_PATH);
  },
);
