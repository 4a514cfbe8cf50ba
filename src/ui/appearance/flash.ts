import { cookies } from "next/headers";
import { systemDeps } from "@/kernel/deps/deps";
import { cookieAttributes, cookieName, FLASH_SECONDS } from "@/kernel/http/cookie";

/**
 * Stores a message about the result of a form in a cookie. The next page shows the message once. The message
 * must not contain secrets.
 */
export async function setFlash(text: string): Promise<void> {
  const { config } = systemDeps();
  const attributes = { ...cookieAttributes(config), maxAge: FLASH_SECONDS };
  (await cookies()).set(cookieName(config, "flash"), text, attributes);
}

/** Returns the message that the previous form stored, or null. */
export const readFlash = async (): Promise<string | null> =>
  (await cookies()).get(cookieName(systemDeps().config, "flash"))?.value ?? null;
