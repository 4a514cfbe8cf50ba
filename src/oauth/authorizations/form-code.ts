import { codeBytes } from "@/kernel/crypto/keys";
import { newToken } from "@/kernel/crypto/token";
import type { Deps } from "@/kernel/deps/deps";

/** A consent form as it was posted: in which session, for which request (`consentPurpose`), and which one it was. */
export type PostedForm = Readonly<{ sessionId: string; purpose: string; formId: string }>;

/**
 * The code that a consent form gives: posted twice, by a double click, it gives the same one.
 * @param spent how many codes of this form have been used up before.
 */
export function codeOfForm(deps: Deps, form: PostedForm, spent: number): string {
  // With the day, no code returns after its row was pruned.
  const day = deps.clock().toISOString().slice(0, 10);
  const subject = JSON.stringify([form.sessionId, form.purpose, form.formId, day, spent]);
  return newToken(() => codeBytes(deps.keys, subject), "code");
}
