import { cookies } from "next/headers";
import { systemDeps } from "@/kernel/deps/deps";
import { cookieAttributes, cookieName, FLASH_SECONDS } from "@/kernel/http/cookie";

/** One sentence for the next page, to be shown once: what a form has just done. Never a secret. */
export async function setFlash(text: string): Promise<void> {
  const { config } = systemDeps();
  const attributes = { ...cookieAttributes(config), maxAge: FLASH_SECONDS };
  (await cookies()).set(cookieName(config, "flash"), text, attributes);
}

/** The sentence that the form before this page left, or null. */
export const readFlash = async (): Promise<string | null> =>
  (await cookies()).get(cookieName(systemDeps().config, "flash"))?.value ?? null;
