import { setTimeout as pause } from "node:timers/promises";
import { hiddenFields } from "../../scripts/hidden-fields.mjs";
import type { Instance } from "../instance.ts";

export type Confidential = Readonly<{ client_id: string; client_secret: string }>;
export type Pair = Readonly<{ access_token: string; refresh_token: string }>;

/** The URL of the server process that receives the requests. The default is the public URL. */
export type Target = Pick<Instance, "baseUrl" | "rootPassword"> & Readonly<{ internalUrl?: string }>;

/** Returns the URL of a path on the server process that receives the requests. */
export const urlOf = ({ baseUrl, internalUrl = baseUrl }: Target, path: string): string => internalUrl + path;

export const REDIRECT_URI = "https://client.example/callback";

/**
 * The error for a request that the server refuses temporarily, with status 503 and `Retry-After`. A request
 * that fails with `Unavailable` has not changed any data.
 */
export class Unavailable extends Error {}

/**
 * Returns the response unchanged.
 * @throws Unavailable if the server asks the client to repeat the request.
 */
export function accepted(response: Response): Response {
  if (response.status === 503 && /^\d+$/.test(response.headers.get("retry-after") ?? ""))
    throw new Unavailable(`${response.url} returned 503.`);
  return response;
}

/** Repeats a call for at most ten seconds while the server responds with 503 and `Retry-After`. */
export async function retried<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++)
    try {
      return await run();
    } catch (cause) {
      if (!(cause instanceof Unavailable) || attempt === 50) throw cause;
      await pause(200);
    }
}

/** Registers a confidential application of `root`. */
export async function registerApplication(
  instance: Instance,
  ...options: readonly string[]
): Promise<Confidential> {
  const about = ["--name", "Faults", "--redirect-uri", REDIRECT_URI, "--scopes", "read_user"];
  const { stdout, stderr, code } = await instance.cli(
    ...["application", "create", ...about, "--owner", "root", ...options, "--json"],
  );
  if (code !== 0) throw new Error(stderr);
  const { client_id, client_secret } = JSON.parse(stdout) as Confidential;
  return { client_id, client_secret };
}

/** Signs in as `root`. @returns the cookies of the session. */
export async function cookieOf(target: Target): Promise<string> {
  const response = await fetch(urlOf(target, "/users/session"), {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ login: "root", password: target.rootPassword }),
  });
  accepted(response);
  if (response.status !== 303) throw new Error(`The sign-in returned ${response.status}.`);
  return response.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");
}

/**
 * The result of an authorization request: an authorization code, or the consent page with its hidden fields.
 */
export type Authorization = Readonly<{
  code: string | null;
  fields: Readonly<Record<string, string>> | null;
}>;

/**
 * Sends an authorization request as the owner of the session. `more` contains additional parameters, such as
 * a code challenge.
 */
export async function authorize(
  target: Target,
  clientId: string,
  cookie: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Authorization> {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: "code",
    scope: "read_user",
    ...more,
  });
  const first = await fetch(urlOf(target, `/oauth/authorize?${query}`), {
    redirect: "manual",
    headers: { cookie },
  });
  accepted(first);
  const location = new URL(first.headers.get("location") ?? "", target.baseUrl);
  if (location.pathname !== "/oauth/consent") return { code: codeOf(location), fields: null };
  const page = accepted(
    await fetch(urlOf(target, location.pathname + location.search), {
      redirect: "manual",
      headers: { cookie },
    }),
  );
  // A simultaneous request of the same user has already submitted the consent, so the server redirects.
  if (page.status === 303) return authorize(target, clientId, cookie, more);
  // The fields of an error page or of the sign-in page would be submitted as a forged consent, with status 403.
  if (page.status !== 200) throw new Error(`The consent page returned ${page.status}.`);
  return { code: null, fields: hiddenFields(await page.text()) };
}

/** Submits the consent page. @returns the authorization code. */
export async function consent(
  target: Target,
  fields: Readonly<Record<string, string>>,
  cookie: string,
): Promise<string> {
  const response = await fetch(urlOf(target, "/oauth/authorize"), {
    method: "POST",
    redirect: "manual",
    headers: { cookie, origin: target.baseUrl },
    body: new URLSearchParams({ ...fields, decision: "allow" }),
  });
  accepted(response);
  const code = codeOf(new URL(response.headers.get("location") ?? "", target.baseUrl));
  if (code === null) {
    const [, title = "no title"] = /<title>([^<]*)/.exec(await response.text()) ?? [];
    const names = Object.keys(fields).join(" ");
    throw new Error(
      `The consent returned ${response.status} (${title}) for a form with the fields ${names}.`,
    );
  }
  return code;
}

const codeOf = (location: URL): string | null => location.searchParams.get("code");

/** Requests tokens. @throws an Error with the status unless the response is successful. */
export async function requestTokens(target: Target, form: Readonly<Record<string, string>>): Promise<Pair> {
  const response = await fetch(urlOf(target, "/oauth/token"), {
    method: "POST",
    body: new URLSearchParams(form),
  });
  const text = await accepted(response).text();
  if (response.status !== 200) throw new Error(`The token request returned ${response.status} ${text}`);
  return JSON.parse(text) as Pair;
}

/** Completes the authorization code flow of a trusted application. */
export async function newPair(target: Target, client: Confidential, cookie: string): Promise<Pair> {
  const { code } = await authorize(target, client.client_id, cookie);
  if (code === null) throw new Error("The application is not trusted.");
  return exchange(target, client, code);
}

export const exchange = (target: Target, client: Confidential, code: string): Promise<Pair> =>
  requestTokens(target, { grant_type: "authorization_code", redirect_uri: REDIRECT_URI, code, ...client });

/** Calls a function with each item, eight at a time. */
export async function inParallel<Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const work = async (): Promise<void> => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await run(item);
  };
  await Promise.all(Array.from({ length: 8 }, work));
}
