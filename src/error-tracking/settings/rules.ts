/** Where a project's errors go when they are not kept here. */
export type Remote = Readonly<{
  /** `https://HOST/api/0/projects/ORGANISATION/PROJECT` */
  apiUrl: string;
  projectName: string | null;
}>;

/** How a project tracks its errors. */
export type Settings = Readonly<{
  active: boolean;
  /** Whether the errors are kept here; then nothing is told of another service, whatever is stored. */
  integrated: boolean;
  remote: Remote | null;
  /** Whether a token for the other service is stored. */
  hasToken: boolean;
  /** Bytes of the events that are stored. */
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

/** What is wrong with the address of another service; null: nothing. */
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
    return "is blocked: it must be an http or https address without a user, query or fragment";
  return API_PATH.test(url.pathname) ? null : "must end in /api/0/projects/ORGANISATION/PROJECT";
}

/** The page of the project at the other service: its API's address without what makes it one. */
export const externalUrlOf = ({ apiUrl }: Remote): string =>
  apiUrl.replace("api/0/projects/", "").replace(/\/$/, "");

/** The name that was given, or the last part of the address in words: `my-shop` is `My Shop`. */
export function projectNameOf({ apiUrl, projectName }: Remote): string {
  if (projectName !== null && projectName !== "") return projectName;
  const slug = externalUrlOf({ apiUrl, projectName }).split("/").at(-1) ?? "";
  return slug.replace(/[-_]+/g, " ").replace(/\b\w/g, (letter) => letter.toUpperCase());
}

/** What keeps these settings from being on, field by field; null: nothing. */
export function activationProblems(settings: Settings): Readonly<Record<string, readonly string[]>> | null {
  if (!settings.active || settings.integrated) return null;
  const problems = {
    api_url: settings.remote === null ? ["is a required field"] : [],
    token: settings.hasToken ? [] : ["is a required field"],
  };
  const missing = Object.entries(problems).filter(([, texts]) => texts.length > 0);
  return missing.length === 0 ? null : Object.fromEntries(missing);
}

/** Marks what leaked: a key of ours that reports errors and can do nothing else. */
const KEY_PREFIX = "ghek_";

/** A new public key from 16 random bytes. It is no secret: it stands in the code of browsers. */
export const publicKeyFrom = (random: Uint8Array): string => KEY_PREFIX + Buffer.from(random).toString("hex");

/** The address that an SDK reports to: `scheme://KEY@host[:port]/api/v4/error_tracking/collector/PROJECT`. */
export const dsnOf = ({ publicKey, projectId }: ClientKey, baseUrl: URL): string =>
  `${baseUrl.protocol}//${publicKey}@${baseUrl.host}/api/v4/error_tracking/collector/${projectId}`;
