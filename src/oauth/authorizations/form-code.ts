import { codeBytes } from "@/kernel/crypto/keys";
import { newToken } from "@/kernel/crypto/token";
import type { Deps } from "@/kernel/deps/deps";

/** A posted consent form: its session, its request (`consentPurpose`) and its id. */
export type PostedForm = Readonly<{ sessionId: string; purpose: string; formId: string }>;

/**
 * Returns the authorization code of a consent form. The code is derived, so that a form that is posted twice
 * returns the same code.
 * @param spent how many codes of this form have already been used.
 */
export function codeOfForm(deps: Deps, form: PostedForm, spent: number): string {
  // The day makes sure that no code repeats after its row was pruned.
  const day = deps.clock().toISOString().slice(0, 10);
  const subject = JSON.stringify([form.sessionId, form.purpose, form.formId, day, spent]);
  return newToken(() => codeBytes(deps.keys, subject), "code");
}
