import { timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { heldSecret, holdSecret, takeSecret } from "@/identity/sessions/held-form";
import type { Session } from "@/identity/sessions/service";
import type { Deps } from "@/kernel/deps/deps";
import { findManaged } from "../applications/management";
import { type Application, isBlocked } from "../applications/rules";
import { challengeOf } from "../tokens/pkce";
import type { AuthorizationRequest } from "./rules";
import { trialPath } from "./trial-path";

/**
 * A trial authorization: the owner of an application authorizes the application, and a page of this server
 * receives the response (docs/decisions/0066). The trial authorization is stored encrypted in the session of
 * the owner until the authorization response is received.
 */
const schema = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
});
export type Trial = z.infer<typeof schema>;

/**
 * Returns the redirect URI of the trial authorization of an application. The redirect URI is not registered
 * for any application.
 */
export const trialRedirectUri = (deps: Deps, applicationId: number): string =>
  `${deps.config.issuer}${trialPath(applicationId)}/callback`;

/**
 * Starts a trial authorization, which replaces an earlier trial authorization of the same application in the
 * same session.
 * @returns the parameters of the authorization request.
 */
export async function beginTrial(
  deps: Deps,
  session: Session,
  application: Application,
): Promise<Readonly<Record<string, string>>> {
  const random = (): string => Buffer.from(deps.randomBytes(32)).toString("base64url");
  const trial: Trial = { state: random(), nonce: random(), codeVerifier: random() };
  await holdSecret(deps, session, trialPath(application.id), JSON.stringify(trial));
  return {
    client_id: application.uid,
    redirect_uri: trialRedirectUri(deps, application.id),
    response_type: "code",
    scope: application.scopes.join(" "),
    state: trial.state,
    ...(application.scopes.includes("openid") ? { nonce: trial.nonce } : {}),
    code_challenge: challengeOf(trial.codeVerifier),
    code_challenge_method: "S256",
    prompt: "consent",
  };
}

/**
 * Adds the redirect URI of the trial authorization to the application, if the request belongs to a trial
 * authorization. A request belongs to a trial authorization if the user manages the application, and the
 * session contains a trial authorization with the state and the code challenge of the request. For a request
 * that belongs to no trial authorization, the function returns the unchanged application.
 */
export async function withTrialRedirectUri<Shown extends Application>(
  deps: Deps,
  request: AuthorizationRequest,
  session: Session,
  application: Shown,
): Promise<Shown> {
  const redirectUri = trialRedirectUri(deps, application.id);
  if (request.parameters.get("redirect_uri") !== redirectUri) return application;
  if ((await findManaged(deps, session.user, application.id)) === null) return application;
  const trial = trialFrom(await heldSecret(deps, session, trialPath(application.id)));
  const belongs =
    trial !== null &&
    isSame(trial.state, request.parameters.get("state")) &&
    isSame(challengeOf(trial.codeVerifier), request.parameters.get("code_challenge"));
  return belongs ? { ...application, redirectUris: [...application.redirectUris, redirectUri] } : application;
}

/**
 * Returns the trial authorization to which an authorization response belongs; null when the session contains
 * no trial authorization with this `state`. The function deletes the trial authorization, so that exactly one
 * caller gets it.
 */
export async function takeTrial(
  deps: Deps,
  session: Session,
  application: Application,
  state: string,
): Promise<Trial | null> {
  const trial = trialFrom(await takeSecret(deps, session, trialPath(application.id)));
  return trial !== null && isSame(trial.state, state) && !isBlocked(application) ? trial : null;
}

function trialFrom(text: string | null): Trial | null {
  return text === null ? null : (schema.safeParse(JSON.parse(text)).data ?? null);
}

function isSame(expected: string, received: string | undefined): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(received ?? "")];
  return a.length === b.length && timingSafeEqual(a, b);
}
