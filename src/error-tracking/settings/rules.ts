/** The external service that stores the tracked errors of a project. */
export type Remote = Readonly<{
  /** The API URL of the project: `https://HOST/api/0/projects/ORGANIZATION/PROJECT`. */
  apiUrl: string;
  projectName: string | null;
}>;

/** The error tracking settings of a project. */
export type Settings = Readonly<{
  active: boolean;
  /**
   * Whether this instance stores the tracked errors of the project. While this instance stores the tracked
   * errors, the stored settings of an external service are not shown.
   */
  integrated: boolean;
  remote: Remote | null;
  /** Whether a token for the external service is stored. */
  hasToken: boolean;
  /** The total size of the stored events in bytes. */
  storedBytes: number;
}>;

export type ClientKey = Readonly<{
  id: number;
  projectId: number;
  publicKey: string;
  active: boolean;
  createdAt: Date;
}>;

const URL_CHARACTERS_MAX = 255;
const API_PATH = /^\/api\/0\/projects\/[^/]+\/[^/]+\/?$/;

/** Returns the problem with the URL of an external service; null for a valid URL. */
export function apiUrlProblem(text: string): string | null {
  if (text === "") return "is a required field";
  if (text.length > URL_CHARACTERS_MAX) return `is too long (maximum is ${URL_CHARACTERS_MAX} characters)`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== "" ||
    url.search !== "" ||
    url.hash !== ""
  )
    return "is blocked: it must be an http or https URL without a user, query or fragment";
  return API_PATH.test(url.pathname) ? null : "must end in /api/0/projects/ORGANIZATION/PROJECT";
}

/** Returns the web page of the project at the external service, derived from the API URL. */
export const externalUrlOf = ({ apiUrl }: Remote): string =>
  apiUrl.replace("api/0/projects/", "").replace(/\/$/, "");

/**
 * Returns the stored name of the project in the external service. If no name is stored, the function converts
 * the last segment of the API URL into words: `my-shop` becomes `My Shop`.
 */
export function projectNameOf({ apiUrl, projectName }: Remote): string {
  if (projectName !== null && projectName !== "") return projectName;
  const slug = externalUrlOf({ apiUrl, projectName }).split("/").at(-1) ?? "";
  return slug.replace(/[-_]+/g, " ").replace(/\b\w/g, (letter) => letter.toUpperCase());
}

/**
 * Returns the field errors that prevent the activation of error tracking; null if there are no field errors.
 */
export function activationProblems(settings: Settings): Readonly<Record<string, readonly string[]>> | null {
  if (!settings.active || settings.integrated) return null;
  const problems = {
    api_url: settings.remote === null ? ["is a required field"] : [],
    token: settings.hasToken ? [] : ["is a required field"],
  };
  const missing = Object.entries(problems).filter(([, texts]) => texts.length > 0);
  return missing.length === 0 ? null : Object.fromEntries(missing);
}

/**
 * The prefix of client keys. Secret scanners recognize a leaked client key by this prefix. A client key can
 * only be used to report errors.
 */
const KEY_PREFIX = "ghek_";

/**
 * Returns the public key of a new client key, with 16 random bytes. The public key is not a secret: browsers
 * receive it in the source code of web pages.
 */
export const publicKeyFrom = (random: Uint8Array): string => KEY_PREFIX + Buffer.from(random).toString("hex");

/**
 * Returns the DSN of a client key. The format is
 * `scheme://KEY@host[:port]/api/v4/error_tracking/collector/PROJECT`.
 */
export const dsnOf = ({ publicKey, projectId }: ClientKey, baseUrl: URL): string =>
  `${baseUrl.protocol}//${publicKey}@${baseUrl.host}/api/v4/error_tracking/collector/${projectId}`;
