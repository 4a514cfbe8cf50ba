import { sessionCsrfToken, sessionOf } from "@/identity/sessions/service.ts";
import type { Deps } from "@/kernel/deps/deps.ts";
import { type Client, exchangeOf, ORIGIN, redirectParameters, requestToken } from "./authorization.ts";
import { verified } from "./open-id.ts";

/** Returns the page of a redirect with its parameters; null for a redirect to the client. */
export function pageOf(response: Response): (Readonly<Record<string, string>> & { path: string }) | null {
  const url = new URL(response.headers.get("location") ?? "", ORIGIN);
  return url.origin === ORIGIN ? { path: url.pathname, ...Object.fromEntries(url.searchParams) } : null;
}

/** Exchanges the code of an authorization response. @returns the token response and the claims of the ID token. */
export async function claimsOf(deps: Deps, client: Client, response: Response) {
  const { code = "" } = redirectParameters(response);
  const { body } = await requestToken(exchangeOf(client, code));
  const { payload } = await verified(deps, body["id_token"], client);
  return { body, payload };
}

/** Returns the parameter `claims` that requires a class. */
export const essentialAcr = (value: object): string =>
  JSON.stringify({ id_token: { acr: { essential: true, ...value } } });

export const queryIn = (path: string): string => path.slice(path.indexOf("?") + 1);

/** Returns the query of the link with which the user of a session declines the factor. */
export async function declinedQuery(deps: Deps, cookie: string, back: string): Promise<string> {
  const session = await sessionOf(deps, cookie);
  if (session === null) throw new Error("The session is not live.");
  return `${queryIn(back)}&step_up_declined=${sessionCsrfToken(deps, session, "step_up_declined")}`;
}
