"use server";

import { redirect } from "next/navigation";
import { adminAction, adminFormAction } from "@/identity/sessions/loaders";
import * as twoFactor from "@/identity/two-factor/service";
import { type AccountOutcome, changeAccount } from "@/identity/users/account-changes";
import type { DeletionRefusal } from "@/identity/users/account-deletion";
import * as states from "@/identity/users/account-states";
import * as users from "@/identity/users/administration";
import { confirmEmailChange } from "@/identity/users/email-change";
import { systemDeps } from "@/kernel/deps/deps";
import { readId } from "@/kernel/http/query";
import * as applications from "@/oauth/applications/administration";
import { cancelPending, revokeUncovered } from "@/oauth/authorizations/service";
import { setIdentifiers } from "@/oauth/resource-servers/service";
import * as tokens from "@/oauth/tokens/revocation";
import { setFlash } from "@/ui/appearance/flash";
import { APPLICATIONS, USERS } from "./loaders";
import { readUserForm, type UserDraft } from "./schema";
import { deleteUserAsAdministrator } from "./user-deletion";

/**
 * The next state of the form that creates a user. The state contains the draft with its field errors, or the
 * new user with the generated password, which is shown once.
 */
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

/** Returns the URL path of the page of the user whose id the submitted form contains. */
const userPage = (form: FormData): string => `${USERS}/${idIn(form)}`;

/**
 * The next state of the forms for the e-mail address and the password of a user. The state contains the
 * entered e-mail address with its error, or the generated password, which is shown once.
 */
export type AccountFormState =
  | Readonly<{ kind: "editing"; email: string | null; problem: string | null }>
  | Readonly<{ kind: "reset"; password: string | null }>;

/** Sets the e-mail address of a user. The e-mail address counts as confirmed, because an administrator entered it. */
export const changeUserEmail = adminFormAction<AccountFormState>(userPage, async ({ user }, form) => {
  const email = readText(form, "email").trim();
  const outcome = await changeAccount(systemDeps(), user, idIn(form), { email });
  const problem = accountProblem(outcome, "email", "The e-mail address");
  if (problem !== null) return { kind: "editing", email, problem };
  await setFlash("The e-mail address is changed. Applications now receive the new e-mail address.");
  redirect(userPage(form));
});

/**
 * Sets a new password for another user. If the submitted password is empty, a password is generated and shown
 * once.
 */
export const resetUserPassword = adminFormAction<AccountFormState>(userPage, async ({ user }, form) => {
  const deps = systemDeps();
  const entered = readText(form, "password");
  const id = idIn(form);
  if (id === user.id) return { kind: "editing", email: null, problem: REFUSED.self };
  const password = entered === "" ? Buffer.from(deps.randomBytes(18)).toString("base64url") : entered;
  const outcome = await changeAccount(deps, user, id, { password });
  const problem = accountProblem(outcome, "password", "The password");
  if (problem !== null) return { kind: "editing", email: null, problem };
  return { kind: "reset", password: entered === "" ? password : null };
});

/**
 * Returns a sentence with the reason why a field of an account was not changed; null if the field was
 * changed.
 */
function accountProblem(outcome: AccountOutcome, field: string, label: string): string | null {
  if ("user" in outcome) return null;
  if ("refused" in outcome) return REFUSED[outcome.refused];
  if ("taken" in outcome) return `${label} is already taken.`;
  return `${label} ${outcome.problems[field] ?? "is not valid"}.`;
}

const readText = (form: FormData, name: string): string => String(form.get(name) ?? "").slice(0, 1_000);

type Refusal =
  | users.UserRefusal
  | states.DeactivationRefusal
  | states.ApprovalRefusal
  | DeletionRefusal
  | "deactivated"
  | "deleting";

const REFUSED: Readonly<Record<Refusal, string>> = {
  unknown: "This user no longer exists.",
  self: "You cannot change your own account here. Ask another administrator.",
  not_administrator: "You are no longer an administrator. Nothing was changed.",
  last_administrator: "This user is the last administrator. Make another user an administrator first.",
  blocked: "This user is blocked or waits for approval. Nothing was changed.",
  deactivated: "This user is deactivated. Activate the user instead.",
  deleting: "This user is being deleted. Nothing was changed.",
  sole_owner:
    "This user is the only owner of a group. Make another user an owner first, or delete the contributions too.",
  recently_active: `This user signed in within the last ${states.DORMANT_DAYS} days and cannot be deactivated. You can block the user instead.`,
  not_pending: "This registration no longer waits for approval. Nothing was changed.",
  bot: "This user is a bot, which can only be blocked and unblocked.",
};

export const blockUser = adminAction(userPage, async ({ user }, form) => {
  const refused = await users.blockUserAsAdministrator(systemDeps(), user, idIn(form));
  await backTo(
    userPage(form),
    refused,
    "Blocked. The user's sessions have ended, and the user's tokens are revoked.",
  );
});

export const unblockUser = adminAction(userPage, async ({ user }, form) => {
  const refused = await users.unblockUserAsAdministrator(systemDeps(), user, idIn(form));
  await backTo(userPage(form), refused, "Unblocked. The user can sign in again.");
});

export const deactivateUser = adminAction(userPage, async ({ user }, form) => {
  const refused = await states.deactivateUser(systemDeps(), user, idIn(form));
  await backTo(
    userPage(form),
    refused,
    "Deactivated. The user's sessions have ended. The user becomes active again by signing in.",
  );
});

export const activateUser = adminAction(userPage, async ({ user }, form) => {
  const refused = await states.activateUser(systemDeps(), user, idIn(form));
  await backTo(userPage(form), refused, "Activated. The tokens of the user work again.");
});

export const approveUser = adminAction(userPage, async ({ user }, form) => {
  const refused = await states.approveUser(systemDeps(), user, idIn(form));
  await backTo(userPage(form), refused, "Approved. The user can sign in now, and gets an e-mail.");
});

export const rejectUser = adminAction(userPage, async ({ user }, form) => {
  const refused = await states.rejectUser(systemDeps(), user, idIn(form));
  await backTo(refused === null ? USERS : userPage(form), refused, "Rejected. The account is deleted.");
});

/**
 * Requests the deletion of a user. The administrator must enter the username, so that no other user is
 * deleted by mistake.
 */
export const deleteUser = adminAction(userPage, async ({ user }, form) => {
  const deps = systemDeps();
  const id = idIn(form);
  const target = await users.findUser(deps, id);
  if (target !== null && readText(form, "username").trim() !== target.username) {
    await setFlash("The entered username is not the username of this user. Nothing was changed.");
    redirect(userPage(form));
  }
  const hard = form.get("hard") === "true";
  const transferTo = readText(form, "transfer_to").trim();
  const refused = await deleteUserAsAdministrator(deps, user, id, { hard, transferTo });
  if (typeof refused === "object" && refused !== null) {
    await setFlash(`${refused.problem} Nothing was changed.`);
    redirect(userPage(form));
  }
  // The list of users is shown instead of the page of the user, because the user may be deleted before the
  // browser follows the redirect.
  await backTo(
    refused === null ? USERS : userPage(form),
    refused,
    "The user is being deleted. The deletion can take some minutes.",
  );
});

export const resetSecondFactor = adminAction(userPage, async ({ user }, form) => {
  const refused = await twoFactor.resetSecondFactor(systemDeps(), user, idIn(form));
  await backTo(
    userPage(form),
    refused,
    "The second factor is removed. The user now signs in with the password alone and can set up a new second factor.",
  );
});

export const makeAdministrator = adminAction(userPage, async ({ user }, form) => {
  const refused = await users.setAdministrator(systemDeps(), user, idIn(form), true);
  await backTo(userPage(form), refused, "The user is now an administrator.");
});

export const demoteAdministrator = adminAction(userPage, async ({ user }, form) => {
  const refused = await users.setAdministrator(systemDeps(), user, idIn(form), false);
  await backTo(userPage(form), refused, "The user is no longer an administrator.");
});

export const confirmEmail = adminAction(userPage, async ({ user }, form) => {
  const outcome = await confirmEmailChange(systemDeps(), user, idIn(form), String(form.get("email") ?? ""));
  if (outcome === "taken" || outcome === "changed") {
    await setFlash(EMAIL_REFUSED[outcome]);
    redirect(userPage(form));
  }
  await backTo(
    userPage(form),
    outcome,
    "The e-mail address is confirmed. Applications now receive this e-mail address.",
  );
});

const EMAIL_REFUSED = {
  taken: "Another user has this e-mail address. Nothing was changed.",
  changed: "This e-mail address is no longer pending. Nothing was changed.",
} as const;

/** Returns the URL path of the page of the application whose id the submitted form contains. */
const applicationPage = (form: FormData): string => `${APPLICATIONS}/${idIn(form)}`;

export const blockApplication = adminAction(applicationPage, async ({ user }, form) => {
  await applications.setBlocked(systemDeps(), user, idIn(form), true);
  await backTo(
    applicationPage(form),
    null,
    "Blocked. The application gets no new tokens, and its tokens no longer work.",
  );
});

export const unblockApplication = adminAction(applicationPage, async ({ user }, form) => {
  await applications.setBlocked(systemDeps(), user, idIn(form), false);
  await backTo(applicationPage(form), null, "Unblocked. The application works again.");
});

export const trustApplication = adminAction(applicationPage, async ({ user }, form) => {
  await applications.setTrusted(systemDeps(), user, idIn(form), true);
  await backTo(applicationPage(form), null, "Trusted. Users are no longer asked for consent.");
});

export const distrustApplication = adminAction(applicationPage, async ({ user }, form) => {
  await applications.setTrusted(systemDeps(), user, idIn(form), false);
  await backTo(
    applicationPage(form),
    null,
    "The application is no longer trusted. Users are asked for consent.",
  );
});

export const markResourceServer = adminAction(applicationPage, async ({ user }, form) => {
  await applications.setResourceServer(systemDeps(), user, idIn(form), true);
  await backTo(applicationPage(form), null, "The application may introspect tokens of other applications.");
});

export const unmarkResourceServer = adminAction(applicationPage, async ({ user }, form) => {
  await applications.setResourceServer(systemDeps(), user, idIn(form), false);
  await backTo(applicationPage(form), null, "The application may introspect only its own tokens.");
});

export const setResourceIdentifiers = adminAction(applicationPage, async ({ user }, form) => {
  const problem = await setIdentifiers(systemDeps(), user, idIn(form), readText(form, "identifiers"));
  await setFlash(problem ?? "The resource identifiers are saved.");
  redirect(applicationPage(form));
});

export const revokeTokens = adminAction(applicationPage, async ({ user }, form) => {
  await cancelPending(systemDeps(), idIn(form));
  const count = await tokens.revokeTokens(systemDeps(), user, idIn(form));
  const text =
    count === 1 ? "1 grant and its tokens are revoked." : `${count} grants and their tokens are revoked.`;
  await backTo(applicationPage(form), null, text);
});

export const revokeUncoveredGrants = adminAction(applicationPage, async ({ user }, form) => {
  const application = await applications.findApplication(systemDeps(), idIn(form));
  const count = application === null ? 0 : await revokeUncovered(systemDeps(), application, user);
  await backTo(applicationPage(form), null, `Revoked grants with removed scopes: ${count}.`);
});

/**
 * Returns the id that a form contains. If the id is malformed, the function returns 0, which is never the id
 * of a row.
 */
const idIn = (form: FormData): number => readId(String(form.get("id"))) ?? 0;

async function backTo(page: string, refused: Refusal | null, done: string): Promise<never> {
  await setFlash(refused === null ? done : REFUSED[refused]);
  redirect(page);
}
