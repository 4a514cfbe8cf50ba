import type { User } from "@/access/principal";
import { confirmedEmail } from "@/access/principal";
import { readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";
import { tryPassword } from "./password-attempt";
import type { UserWithStamp } from "./service";
import * as store from "./store";

/**
 * An e-mail address of a user. A user has at most one confirmed and one pending e-mail address, so the id of
 * each e-mail address can be derived from the id of the user.
 */
export type UserEmail = Readonly<{
  id: number;
  email: string;
  /**
   * Null for a pending e-mail address. For a confirmed e-mail address, this field contains the creation time
   * of the user, because the instance does not store the time of the confirmation.
   */
  confirmedAt: Date | null;
}>;

const confirmedIdOf = ({ id }: Pick<User, "id">): number => id * 2;
const pendingIdOf = ({ id }: Pick<User, "id">): number => id * 2 + 1;

/** Returns the confirmed and the pending e-mail address of a user, in this order. */
export async function emailsOf(deps: Deps, user: User): Promise<readonly UserEmail[]> {
  const email = confirmedEmail(user);
  const pending = (await store.findProfile(deps.reads, user.id))?.pendingEmail?.email;
  return [
    ...(email === null ? [] : [{ id: confirmedIdOf(user), email, confirmedAt: user.createdAt }]),
    ...(pending === undefined ? [] : [{ id: pendingIdOf(user), email: pending, confirmedAt: null }]),
  ];
}

/**
 * Checks the password of a user in an API request.
 * @returns the user whose password was checked; `wrong` or `limited` for a refused password.
 */
export async function checkPassword(
  deps: Deps,
  user: User,
  password: string,
): Promise<UserWithStamp | "wrong" | "limited"> {
  // Password attempts with a stolen token must not lock out the user's browsers or other users.
  const devices = [{ userId: user.id, id: "emails", countsAlone: true as const }];
  const ipAddress = `emails ${user.id}`;
  const attempt = { login: user.username, password, ipAddress, devices, way: "sign_in" } as const;
  const outcome = await tryPassword(deps, await readSettings(deps), attempt);
  if ("user" in outcome) return outcome;
  return outcome.refused === "wrong" ? "wrong" : "limited";
}
