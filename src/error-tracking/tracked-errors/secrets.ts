/** What stands where a secret was. */
export const FILTERED = "[filtered]";

const SECRET_WORD =
  "pass(?:word|wd|phrase)|pwd|secret|token|authorization|cookie|api[-_]?key|session|credential|csrf|xsrf|private|signature";
const SECRET_NAME = new RegExp(`${SECRET_WORD}|^(?:auth|key|sig|code|state)$`, "i");

/**
 * In any text: a parameter of a URL, credentials before a host, a token of ours or of a header. Whether a parameter's
 * name is secret is asked ahead, which is not tried again when no `=` follows: a long text of such words would be read
 * from each of them to its end.
 */
const SECRET_PARAMETER = new RegExp(
  String.raw`([?&#;](?=[\w.[\]-]*?(?:${SECRET_WORD})|(?:auth|key|sig|code|state)=)[\w.[\]-]+=)[^&#\s"'<>]*`,
  "gi",
);
const CREDENTIALS = /:\/\/[^\s/@"']+@/g;
const TOKEN = /\b(?:bearer|basic) [\w.~+/=-]{8,}|\bgh[a-z]{2}_[\w-]{8,}/gi;

/** Headers that say where somebody is, which no page shows. */
const ADDRESS_HEADER =
  /^(?:x-forwarded-for|forwarded|x-real-ip|true-client-ip|cf-connecting-ip|x-client-ip)$/i;

/** Whether what has this name is left out, wherever in an event it is. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

export const isShownHeader = (name: string): boolean => !isSecretName(name) && !ADDRESS_HEADER.test(name);

/** A text, such as a message or an address, without the secrets that can be told from the rest. */
export function withoutSecrets(text: string): string {
  let shown = text;
  // Most texts have none of these characters, and looking for one is far faster than an expression.
  if (shown.includes("=")) shown = shown.replace(SECRET_PARAMETER, `$1${FILTERED}`);
  if (shown.includes("@")) shown = shown.replace(CREDENTIALS, `://${FILTERED}@`);
  if (shown.includes("_") || /(?:bearer|basic) /i.test(shown)) shown = shown.replace(TOKEN, FILTERED);
  return shown;
}

/** The same for a query string, which begins without `?`. */
export const queryWithoutSecrets = (query: string): string => withoutSecrets(`?${query}`).slice(1);
