import { cookies } from "next/headers";
import { systemDeps } from "@/kernel/deps/deps";
import { cookieAttributes, cookieName, FLASH_SECONDS } from "@/kernel/http/cookie";

/**
 * Sets a sentence about the result of a form, which the next page shows once. The sentence is never a
 * secret.
 */
export async function setFlash(text: string): Promise<void> {
  const { config } = systemDeps();
  const attributes = { ...cookieAttributes(config), maxAge: FLASH_SECONDS };
  (await cookies()).set(cookieName(config, "flash"), text, attributes);
}

/** Returns the sentence that the previous form set, or null. */
export const readFlash = async (): Promise<string | null> =>
  (await cookies()).get(cookieName(systemDeps().config, "flash"))?.value ?? null;
