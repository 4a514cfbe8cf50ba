/** The text that replaces a secret. */
export const FILTERED = "[filtered]";

const SECRET_WORD =
  "pass(?:word|wd|phrase)|pwd|secret|token|authorization|cookie|api[-_]?key|session|credential|csrf|xsrf|private|signature";
const SECRET_NAME = new RegExp(`${SECRET_WORD}|^(?:auth|key|sig|code|state)$`, "i");

/**
 * Matches a secret parameter of a URL. The lookahead checks the name before the name is consumed. Without the
 * lookahead, a long text that repeats secret words without `=` would take quadratic time, because the engine
 * would scan to the end of the text from each word.
 */
const SECRET_PARAMETER = new RegExp(
  String.raw`([?&#;](?=[\w.[\]-]*?(?:${SECRET_WORD})|(?:auth|key|sig|code|state)=)[\w.[\]-]+=)[^&#\s"'<>]*`,
  "gi",
);
const CREDENTIALS = /:\/\/[^\s/@"']+@/g;
const TOKEN = /\b(?:bearer|basic) [\w.~+/=-]{8,}|\bgh[a-z]{2}_[\w-]{8,}/gi;

/** The headers that contain the IP address of the user. No page shows these headers. */
const ADDRESS_HEADER =
  /^(?:x-forwarded-for|forwarded|x-real-ip|true-client-ip|cf-connecting-ip|x-client-ip)$/i;

/**
 * Returns whether the value of a field with this name is secret. The function is used for all parts of an
 * event.
 */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

export const isShownHeader = (name: string): boolean => !isSecretName(name) && !ADDRESS_HEADER.test(name);

/** Replaces the parts of a text that look like secrets. The text may be a message or a URL. */
export function withoutSecrets(text: string): string {
  let shown = text;
  // Most texts contain none of the characters `=`, `@` and `_`. The search for a character is far faster than
  // a regular expression.
  if (shown.includes("=")) shown = shown.replace(SECRET_PARAMETER, `$1${FILTERED}`);
  if (shown.includes("@")) shown = shown.replace(CREDENTIALS, `://${FILTERED}@`);
  if (shown.includes("_") || /(?:bearer|basic) /i.test(shown)) shown = shown.replace(TOKEN, FILTERED);
  return shown;
}

/** Replaces the secrets in a query string without a leading `?`. */
export const queryWithoutSecrets = (query: string): string => withoutSecrets(`?${query}`).slice(1);
