import type { User } from "@/access/principal";
import { systemDeps } from "@/platform/deps";
import { requireSession } from "../sign-in/loaders";
import { hidesProfile } from "../users/profile";

/** What the signed-in person can change of themselves. */
export type OwnProfile = Readonly<{ user: User; privateProfile: boolean; now: Date }>;

export async function loadProfile(): Promise<OwnProfile> {
  const { user } = await requireSession("/user_settings/profile");
  const deps = systemDeps();
  return { user, privateProfile: await hidesProfile(deps, user), now: deps.clock() };
}
