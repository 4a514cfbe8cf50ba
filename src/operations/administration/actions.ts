"use server";

import { redirect } from "next/navigation";
import { adminAction, adminFormAction } from "@/identity/sessions/loaders";
import * as twoFactor from "@/identity/two-factor/service";
import * as users from "@/identity/users/administration";
import { confirmEmailChange } from "@/identity/users/email-change";
import { systemDeps } from "@/kernel/deps/deps";
import { readId } from "@/kernel/paging/keyset";
import * as applications from "@/oauth/applications/administration";
import { cancelPending, revokeUncovered } from "@/oauth/authorizations/service";
import * as tokens from "@/oauth/tokens/revocation";
import { setFlash } from "@/ui/appearance/flash";
import { APPLICATIONS, USERS } from "./loaders";
import { readUserForm, type UserDraft } from "./schema";

/** What the form shows next: the draft with its problems, or the person, with the password that was made for them, once. */
export type UserFormState =
  | Readonly<{ kind: "editing"; draft: UserDraft; problems: Readonly<Record<string, string>> }>
  | Readonly<{ kind: "created"; id: number; username: string; password: string | null }>;

export const createUser = adminFormAction<UserFormState>(
  () => `${USERS}/new`,
  async ({ user }, form) => {
    const { draft, password } = readUserForm(form);
    const result = await users.createUserAsAdministrator(systemDeps(), user, { ...draft, password });
    if ("problems" in result) return { kind: "editing", draft, problems: result.problems };
    const { id, username } = result.user;
    return { kind: "created", id, username, password: "password" in result ? result.password : null };
  },
);

const REFUSED: Readonly<Record<users.UserRefusal, string>> = {
  unknown: "There is no such person any more.",
  self: "You cannot do this to yourself. Ask another administrator.",
  not_administrator: "You are no administrator any more. Nothing was changed.",
};

/** The page of the person whose id a form carries. */
const userPage = (form: FormData): string => `${USERS}/${idIn(form)}`;

export const blockUser = adminAction(userPage, async ({ user }, form) => {
  const refused = await users.blockUserAsAdministrator(systemDeps(), user, idIn(form));
  await backTo(userPage(form), refused, "Blocked. Their sessions have ended and their tokens are revoked.");
});

export const unblockUser = adminAction(userPage, async ({ user }, form) => {
  const refused = await users.unblockUserAsAdministrator(systemDeps(), user, idIn(form));
  await backTo(userPage(form), refused, "Unblocked. They can sign in again.");
});

export const resetSecondFactor = adminAction(userPage, async ({ user }, form) => {
  const refused = await twoFactor.resetSecondFactor(systemDeps(), user, idIn(form));
  await backTo(
    userPage(form),
    refused,
    "Removed. They sign in by password and can set up a new second factor.",
  );
});

export const makeAdministrator = adminAction(userPage, async ({ user }, form) => {
  const refused = await users.setAdministrator(systemDeps(), user, idIn(form), true);
  await backTo(userPage(form), refused, "They are an administrator now.");
});

export const demoteAdministrator = adminAction(userPage, async ({ user }, form) => {
  const refused = await users.setAdministrator(systemDeps(), user, idIn(form), false);
  await backTo(userPage(form), refused, "They are no administrator any more.");
});

export const confirmEmail = adminAction(userPage, async ({ user }, form) => {
  const outcome = await confirmEmailChange(systemDeps(), user, idIn(form), String(form.get("email") ?? ""));
  if (outcome === "taken" || outcome === "changed") {
    await setFlash(EMAIL_REFUSED[outcome]);
    redirect(userPage(form));
  }
  await backTo(userPage(form), outcome, "The e-mail address is confirmed. Applications get it from now on.");
});

const EMAIL_REFUSED = {
  taken: "Another user has this e-mail address. Nothing was changed.",
  changed: "This e-mail address is no longer pending. Nothing was changed.",
} as const;

/** The page of the application whose id a form carries. */
const applicationPage = (form: FormData): string => `${APPLICATIONS}/${idIn(form)}`;

export const blockApplication = adminAction(applicationPage, async ({ user }, form) => {
  await applications.setBlocked(systemDeps(), user, idIn(form), true);
  await backTo(applicationPage(form), null, "Blocked. It gets no tokens, and those it has stop.");
});

export const unblockApplication = adminAction(applicationPage, async ({ user }, form) => {
  await applications.setBlocked(systemDeps(), user, idIn(form), false);
  await backTo(applicationPage(form), null, "Unblocked. It works again.");
});

export const trustApplication = adminAction(applicationPage, async ({ user }, form) => {
  await applications.setTrusted(systemDeps(), user, idIn(form), true);
  await backTo(applicationPage(form), null, "Trusted. People are not asked for consent any more.");
});

export const distrustApplication = adminAction(applicationPage, async ({ user }, form) => {
  await applications.setTrusted(systemDeps(), user, idIn(form), false);
  await backTo(applicationPage(form), null, "No longer trusted. People are asked for consent.");
});

export const revokeTokens = adminAction(applicationPage, async ({ user }, form) => {
  await cancelPending(systemDeps(), idIn(form));
  const count = await tokens.revokeTokens(systemDeps(), user, idIn(form));
  const text =
    count === 1 ? "1 grant has ended with its tokens." : `${count} grants have ended with their tokens.`;
  await backTo(applicationPage(form), null, text);
});

export const revokeUncoveredGrants = adminAction(applicationPage, async ({ user }, form) => {
  const application = await applications.findApplication(systemDeps(), idIn(form));
  const count = application === null ? 0 : await revokeUncovered(systemDeps(), application, user);
  await backTo(applicationPage(form), null, `Grants that exceeded the scopes and are revoked now: ${count}.`);
});

/** Zero, which nothing has, for what is no id. */
const idIn = (form: FormData): number => readId(String(form.get("id"))) ?? 0;

async function backTo(page: string, refused: users.UserRefusal | null, done: string): Promise<never> {
  await setFlash(refused === null ? done : REFUSED[refused]);
  redirect(page);
}
