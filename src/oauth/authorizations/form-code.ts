import { codeBytes } from "@/kernel/crypto/keys";
import { newToken } from "@/kernel/crypto/token";
import type { Deps } from "@/kernel/deps/deps";

/**
 * A posted consent form: the session, the purpose of the request (`consentPurpose`) and the id of the form.
 */
export type PostedForm = Readonly<{ sessionId: string; purpose: string; formId: string }>;

/**
 * Returns the authorization code of a consent form. The authorization code is derived from the consent form,
 * so that the server returns the same code if the form is posted twice.
 * @param usedCount the number of authorization codes from this form that have already been used.
 */
export function codeOfForm(deps: Deps, form: PostedForm, usedCount: number): string {
  // The input from which the authorization code is derived contains the date, so that the server does not
  // issue the same code again after the row of the code was deleted.
  const day = deps.clock().toISOString().slice(0, 10);
  const subject = JSON.stringify([form.sessionId, form.purpose, form.formId, day, usedCount]);
  return newToken(() => codeBytes(deps.keys, subject), "code");
}
