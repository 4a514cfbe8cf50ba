import { cookies, headers } from "next/headers";
import { systemDeps } from "@/kernel/deps/deps";
import { cookieAttributes, cookieName, FLASH_HEADER, FLASH_SECONDS } from "@/kernel/http/cookie";

/**
 * Stores a message about the result of a form action in a cookie. The next page shows the message and deletes
 * the cookie. The action of the form must end with a redirect. The message must not contain secrets.
 */
export async function setFlash(text: string): Promise<void> {
  const { config } = systemDeps();
  const attributes = { ...cookieAttributes(config), maxAge: FLASH_SECONDS };
  (await cookies()).set(cookieName(config, "flash"), text, attributes);
}

/**
 * Returns the message that the previous form stored; null if no message was stored. `proxy.ts` has already
 * deleted the cookie of the message.
 */
export async function readFlash(): Promise<string | null> {
  const encoded = (await headers()).get(FLASH_HEADER);
  return encoded === null ? null : decodeURIComponent(encoded);
}
