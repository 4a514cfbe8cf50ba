import { ORIGIN, REDIRECT_URI } from "../authorization.ts";

/**
 * Text that no response may contain: stack traces, paths and packages of the server, messages of the
 * database.
 */
const INSIDES = /node_modules|\bat .+:\d+:\d+|\/src\/|file:\/\/|prisma|sqlite|postgres|\bstack\b/i;

/**
 * An error code of Prisma. The pattern matches only a separate word, because a random token can contain the
 * same characters.
 */
const PRISMA_CODE = /(?<![\w-])P2\d{3}(?![\w-])/;

/**
 * Matches an unescaped special character of the marker text that fuzzed requests contain. The character could
 * be markup or end an attribute.
 */
const RAW_MARKER = /fz[<>"']fz/;

const ERROR = /^[a-z_]+$/;
/** The allowed characters of an error description (RFC 6749 §5.2). */
const DESCRIPTION = /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/;
const ERROR_MEMBERS = ["error", "error_description", "state", "interval"];

/**
 * Returns whether a path belongs to a public document. Responses for paths of other documents must not be
 * cached.
 */
const isPublic = (path: string): boolean =>
  path.startsWith("/.well-known/") || path === "/oauth/discovery/keys";

type FuzzResponse = Readonly<{ path: string; response: Response; text: string }>;
type Rule = (response: FuzzResponse) => readonly (string | false)[];

const status: Rule = ({ response }) => [
  response.status >= 500 && `status ${response.status}`,
  [301, 302, 307, 308].includes(response.status) && `redirect with ${response.status}`,
  response.status === 400 && response.headers.has("www-authenticate") && "a 400 response with a challenge",
  response.headers.has("x-powered-by") && "x-powered-by",
];

const redirect: Rule = ({ response }) => {
  const location = response.headers.get("location");
  const isAllowed =
    location === null || location.startsWith(`${ORIGIN}/`) || location.split(/[?#]/, 1)[0] === REDIRECT_URI;
  return [!isAllowed && `a redirect of the browser to ${location}`];
};

const noInsides: Rule = ({ response, text }) => {
  const content = `${text} ${response.headers.get("www-authenticate") ?? ""}`;
  return [INSIDES, PRISMA_CODE].map((pattern) => {
    const shown = pattern.exec(content)?.[0];
    return shown !== undefined && `reveals internals: ${shown}`;
  });
};

const notStored: Rule = ({ path, response }) => [
  !isPublic(path) &&
    response.body !== null &&
    !response.headers.get("cache-control")?.includes("no-store") &&
    "the response may be stored in a cache",
];

const html: Rule = ({ response, text }) =>
  isOf(response, "text/html")
    ? [
        RAW_MARKER.test(text) && "the page contains unescaped input",
        !response.headers.get("content-security-policy")?.includes("default-src 'none'") && "no policy",
      ]
    : [];

const json: Rule = ({ response, text }) => {
  if (response.status < 400 || isOf(response, "text/html")) return [];
  if (!/[/+]json(?:;|$)/.test(response.headers.get("content-type") ?? ""))
    return [`an error with the content type ${response.headers.get("content-type")}`];
  const { error, error_description, ...more } = JSON.parse(text);
  return [
    !(typeof error === "string" && ERROR.test(error)) && `error ${error}`,
    !(typeof error_description === "string" && DESCRIPTION.test(error_description)) &&
      `error_description ${error_description}`,
    Object.keys(more).some((member) => !ERROR_MEMBERS.includes(member)) && `members ${Object.keys(more)}`,
  ];
};

const isOf = (response: Response, type: string): boolean =>
  response.headers.get("content-type")?.split(";", 1)[0] === type;

const RULES: readonly Rule[] = [status, redirect, noInsides, notStored, html, json];

/**
 * Checks whether a response follows the rules for all endpoints.
 * @param secrets values that an error response must not contain.
 * @returns the violations; an empty list if there are none.
 */
export async function violationsIn(
  path: string,
  response: Response,
  secrets: readonly string[],
): Promise<readonly string[]> {
  const text = await response.text();
  // Node itself rejects a URL or headers above its limit, before the application receives the request.
  if (response.status === 431 && text === "") return [];
  const violations = RULES.flatMap((rule) => rule({ path, response, text })).filter(
    (fault) => fault !== false,
  );
  // A page may contain all parameters of its request, because the page may contain a link to the same URL.
  const isJsonError = response.status >= 400 && !isOf(response, "text/html");
  const repeatsSecret = isJsonError && secrets.some((secret) => text.includes(secret));
  return repeatsSecret ? [...violations, "the response repeats a secret"] : violations;
}
