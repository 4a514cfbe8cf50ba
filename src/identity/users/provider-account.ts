import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";
import { requestApproval } from "./account-states";
import { sendConfirmationLink } from "./email-confirmation";
import { instanceNamesOf } from "./new-password";
import { noPassword } from "./no-password";
import { emailProblem, nameProblem, newUsernameProblem } from "./rules";
import * as store from "./store";
import { nameIsTakenByOthers } from "./top-level-names";

/**
 * Returns the first of these usernames that is available for a new user; null if no username is available.
 */
export async function freeUsername(deps: Deps, candidates: readonly string[]): Promise<string | null> {
  const names = instanceNamesOf(deps);
  const valid = candidates.filter((username) => newUsernameProblem(username, names) === null);
  const taken = new Set(
    await store.existingUsernames(
      deps.db,
      valid.map((username) => username.toLowerCase()),
    ),
  );
  for (const username of valid.filter((candidate) => !taken.has(candidate.toLowerCase())))
    if (!(await nameIsTakenByOthers(deps, username))) return username;
  return null;
}

/** A new account for a user who signed in with an external identity provider. */
export type ProviderAccount = Readonly<{
  username: string;
  name: string | null;
  email: string | null;
  emailVerified: boolean;
  provider: string;
  ipAddress: string;
}>;

/**
 * Creates an account without a password for a user who signed in with a provider, in the transaction of
 * `deps`. An e-mail address that the provider has not verified stays pending, as after a registration. Like a
 * registered account, the new account may need the approval of an administrator.
 * @throws Prisma's P2002 when the username or the verified e-mail address is taken.
 */
export async function createProviderAccount(deps: Deps, account: ProviderAccount): Promise<User> {
  const { username, provider, ipAddress } = account;
  const email = account.email !== null && emailProblem(account.email) === null ? account.email : null;
  const isConfirmed = email !== null && account.emailVerified;
  const name = account.name?.trim() ?? "";
  const settings = await readSettings(deps);
  const needsApproval = settings.require_admin_approval_after_user_signup;
  const user = await store.insert(deps.db, {
    username,
    email: isConfirmed
      ? email
      : `unconfirmed-${Buffer.from(deps.randomBytes(12)).toString("hex")}@users.noreply.invalid`,
    emailVerified: isConfirmed,
    ...(email === null || isConfirmed ? {} : { pendingEmail: email, pendingEmailAt: deps.clock() }),
    name: name !== "" && nameProblem(name) === null ? name : username,
    passwordDigest: noPassword(deps.randomBytes),
    admin: false,
    state: needsApproval ? "blocked_pending_approval" : "active",
    privateProfile: settings.user_defaults_to_private_profile,
    createdAt: deps.clock(),
  });
  await audit.record(deps, "user.registered", { address: ipAddress, provider }, { userId: user.id });
  if (email !== null && !isConfirmed) await sendConfirmationLink(deps, user, email);
  if (needsApproval) await requestApproval(deps, user);
  return user;
}
