import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { readSettings } from "@/instance/settings/service";
import { PRODUCT_NAME } from "@/kernel/config/product";
import { bloomFilterHas } from "@/kernel/crypto/bloom-filter.mjs";
import { PASSWORD_CHARACTERS_MAX } from "@/kernel/crypto/password";
import type { Deps } from "@/kernel/deps/deps";
import { commonPasswordVariants, passwordCharactersMin, passwordProblem } from "./password-rules";

/**
 * The user data with which a new password is compared. If a request changes the password together with the
 * username or the e-mail address, the user data contains the new values.
 */
export type PasswordOwner = Readonly<{ username: string; email: string; twoFactor: boolean }>;

/**
 * Returns the reason why a new password is refused; null for an accepted password. The text continues a
 * sentence that begins with the field name. Passwords that are already stored are not checked.
 */
export async function newPasswordProblem(
  deps: Deps,
  password: string,
  owner: PasswordOwner,
): Promise<string | null> {
  const least = passwordCharactersMin(await readSettings(deps), owner.twoFactor);
  const problem = passwordProblem(password, {
    least,
    most: PASSWORD_CHARACTERS_MAX,
    username: owner.username,
    email: owner.email,
    instanceNames: instanceNamesOf(deps),
  });
  if (problem !== null) return problem;
  return (await isCommon(password)) ? "must not be one of the most common passwords" : null;
}

/**
 * Returns the names of this instance, which a password must not contain: the product name and the host name.
 */
export const instanceNamesOf = (deps: Deps): readonly string[] => [
  PRODUCT_NAME,
  deps.config.baseUrl.hostname,
];

/**
 * Returns whether a password is in the filter for common passwords. Each call reads the filter for common
 * passwords from its file. This filter is not kept in memory, because it is large and passwords are rarely
 * set.
 */
async function isCommon(password: string): Promise<boolean> {
  const filter = await readFile(resolve("src/identity/users/common-passwords.bloom"));
  return commonPasswordVariants(password).some((variant) => bloomFilterHas(filter, variant));
}
