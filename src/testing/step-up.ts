import { sessionCsrfToken, sessionOf } from "@/identity/sessions/service.ts";
import { requestOptions } from "@/identity/two-factor/passkey.ts";
import type { Authenticator } from "./authenticator.ts";
import {
  type Client,
  exchangeOf,
  type Fields,
  ORIGIN,
  redirectParameters,
  requestToken,
  type SignedInUser,
  signedInUser,
} from "./authorization.ts";
import type { openTestDeps } from "./deps.ts";
import { openIdClient, tokensFor, verified } from "./open-id.ts";
import { postForm } from "./second-factor.ts";

type Deps = Awaited<ReturnType<typeof openTestDeps>>;

/**
 * Creates a user and a client of the user. The user has already allowed the client, so that the result of
 * later requests depends only on the authentication.
 */
export async function userWithClient(
  deps: Deps,
  username: string,
): Promise<Readonly<{ user: SignedInUser; client: Client }>> {
  const user = await signedInUser(deps, username);
  const client = await openIdClient(deps, user.user);
  await tokensFor(deps, user, client, { scope: "openid read_user" });
  return { user, client };
}

/** Re-authenticates the user in the same way as the form of a step-up page. */
export async function confirmWith(
  deps: Deps,
  { cookie }: Pick<SignedInUser, "cookie">,
  fields: Fields,
  returnTo: string,
): Promise<Response> {
  const session = await sessionOf(deps, cookie);
  const form_token = session === null ? "" : sessionCsrfToken(deps, session, "confirm");
  return postForm({ intent: "confirm", form_token, return_to: returnTo, ...fields }, cookie);
}

/** Returns the response of a passkey for a re-authentication. @param verified whether the passkey verifies the user. */
export async function passkeyResponse(
  deps: Deps,
  { cookie, user }: SignedInUser,
  passkey: Authenticator,
  verified: boolean,
): Promise<string> {
  const session = await sessionOf(deps, cookie);
  const options = await requestOptions(deps, `confirm ${session?.id}`, user);
  return passkey.get(options, { verified });
}

/** Returns the path and the parameters of a redirect to a page; null for a redirect to the client. */
export function pageOf(response: Response): (Readonly<Record<string, string>> & { path: string }) | null {
  const url = new URL(response.headers.get("location") ?? "", ORIGIN);
  return url.origin === ORIGIN ? { path: url.pathname, ...Object.fromEntries(url.searchParams) } : null;
}

/**
 * Exchanges the authorization code of an authorization response.
 * @returns the token response and the claims of the ID token.
 */
export async function claimsOf(deps: Deps, client: Client, response: Response) {
  const { code = "" } = redirectParameters(response);
  const { body } = await requestToken(exchangeOf(client, code));
  const { payload } = await verified(deps, body["id_token"], client);
  return { body, payload };
}

/** Returns the parameter `claims` that requires an authentication context class (`acr`). */
export const essentialAcr = (value: object): string =>
  JSON.stringify({ id_token: { acr: { essential: true, ...value } } });

export const queryIn = (path: string): string => path.slice(path.indexOf("?") + 1);

/** Returns the query of the link with which the user of a session declines the requested authentication. */
export async function declinedQuery(deps: Deps, cookie: string, back: string): Promise<string> {
  const session = await sessionOf(deps, cookie);
  if (session === null) throw new Error("The session is not live.");
  return `${queryIn(back)}&step_up_declined=${sessionCsrfToken(deps, session, "step_up_declined")}`;
}
