import type { User } from "@/access/principal";
import { readSettings } from "@/instance/settings/service";
import { systemDeps } from "@/kernel/deps/deps";
import { requireSession } from "../sessions/loaders";
import { type PendingEmail, pendingEmailOf } from "../users/email-change";
import { hidesProfile } from "../users/profile";
import { passwordCharactersMin } from "../users/rules";

/** The profile of the signed-in user. */
export type OwnProfile = Readonly<{
  user: User;
  privateProfile: boolean;
  pendingEmail: PendingEmail | null;
  emailChangesAllowed: boolean;
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
    passwordCharactersMin: passwordCharactersMin(settings, user.twoFactor),
    now: deps.clock(),
  };
}
