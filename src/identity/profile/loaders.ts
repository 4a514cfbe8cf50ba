import type { User } from "@/access/principal";
import { readSettings } from "@/instance/settings/service";
import { systemDeps } from "@/kernel/deps/deps";
import { requireSession } from "../sessions/loaders";
import { type PendingEmail, pendingEmailOf } from "../users/email-change";
import { confirmsByLink } from "../users/email-confirmation";
import { hidesProfile } from "../users/profile";
import { passwordCharactersMin } from "../users/rules";

/** The profile of the signed-in user. */
export type OwnProfile = Readonly<{
  user: User;
  privateProfile: boolean;
  pendingEmail: PendingEmail | null;
  emailChangesAllowed: boolean;
  /** Whether the user confirms a new e-mail address by a link. */
  confirmsByLink: boolean;
  passwordCharactersMin: number;
  now: Date;
}>;

export async function loadProfile(): Promise<OwnProfile> {
  const { user } = await requireSession("/user_settings/profile");
  const deps = systemDeps();
  const settings = await readSettings(deps);
  return {
    user,
    privateProfile: await hidesProfile(deps, user),
    pendingEmail: await pendingEmailOf(deps, user),
    emailChangesAllowed: settings.user_email_changes,
    confirmsByLink: confirmsByLink(deps, settings),
    passwordCharactersMin: passwordCharactersMin(settings, user.twoFactor),
    now: deps.clock(),
  };
}
