import { openSealedToken, sealToken } from "@/kernel/crypto/sealed-token";
import type { Deps } from "@/kernel/deps/deps";

/**
 * The prefix of the tokens in links of e-mails. The log filter and secret scanners recognize the tokens by
 * this prefix.
 */
const PREFIX = "ghml_";

/**
 * Returns a token for a link in an e-mail. The token of a link is an encrypted text, which the server does
 * not store.
 * @param purpose the only purpose for which the token is valid.
 */
export const newLinkToken = (
  deps: Pick<Deps, "keys" | "clock" | "randomBytes">,
  purpose: string,
  text: string,
  seconds: number,
): string => PREFIX + sealToken(deps, `mail ${purpose}`, text, seconds);

/** Returns the text that a token from a link contains; null when the token is invalid or has expired. */
export const openLinkToken = (
  deps: Pick<Deps, "keys" | "clock">,
  purpose: string,
  token: string,
): string | null =>
  token.startsWith(PREFIX)
    ? (openSealedToken(deps, `mail ${purpose}`, token.slice(PREFIX.length))?.text ?? null)
    : null;
