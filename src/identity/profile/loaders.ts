import type { User } from "@/access/principal";
import { readSettings } from "@/instance/settings/service";
import { systemDeps } from "@/kernel/deps/deps";
import { type LinkedAccounts, loadLinkedAccounts } from "../provider-sign-in/loaders";
import { requireSession } from "../sessions/loaders";
import { type PendingEmail, pendingEmailOf } from "../users/email-change";
import { confirmsByLink } from "../users/email-confirmation";
import { passwordCharactersMin } from "../users/password-rules";
import { hasPassword } from "../users/profile";

/** The profile of the signed-in user. */
export type OwnProfile = Readonly<{
  user: User;
  pendingEmail: PendingEmail | null;
  emailChangesAllowed: boolean;
  /** Whether the user confirms a new e-mail address with a link in an e-mail. */
  confirmsByLink: boolean;
  hasPassword: boolean;
  linked: LinkedAccounts;
  passwordCharactersMin: number;
  now: Date;
}>;

export async function loadProfile(): Promise<OwnProfile> {
  const session = await requireSession("/user_settings/profile");
  const { user } = session;
  const deps = systemDeps();
  const settings = await readSettings(deps);
  return {
    user,
    pendingEmail: await pendingEmailOf(deps, user),
    emailChangesAllowed: settings.user_email_changes,
    confirmsByLink: confirmsByLink(deps, settings),
    hasPassword: await hasPassword(deps, user),
    linked: await loadLinkedAccounts(deps, session),
    passwordCharactersMin: passwordCharactersMin(settings, user.twoFactor),
    now: deps.clock(),
  };
}
