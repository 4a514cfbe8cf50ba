import { cookies } from "next/headers";

const COOKIE = "gatehouse.flash";

/** Long enough for the page that follows a form, too short for the one after. */
const SECONDS = 5;

/** One sentence for the next page, to be shown once: what a form has just done. Never a secret. */
export async function setFlash(text: string): Promise<void> {
  (await cookies()).set(COOKIE, text, { maxAge: SECONDS, httpOnly: true, sameSite: "lax", path: "/" });
}

/** The sentence that the form before this page left, or null. */
export const readFlash = async (): Promise<string | null> => (await cookies()).get(COOKIE)?.value ?? null;
