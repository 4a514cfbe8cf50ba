import { csrfToken, csrfTokenMatches } from "@/kernel/crypto/keys";
import type { Deps } from "@/kernel/deps/deps";
import { ADDED_PARAMETERS, FIRST_SEEN } from "./authorization-request";
import type { AuthorizationRequest } from "./rules";

/**
 * The number of hours for which the signed time of an authorization request is valid. A user who returns to
 * the authorization request later must sign in again.
 */
const HOURS_VALID = 1;

/** The parameters that can require a sign-in (OpenID Connect Core §3.1.2.1). */
const DEMANDS = ["prompt", "max_age", "id_token_hint", "acr_values", "claims"];

/**
 * Returns an authorization request with the signed time at which the server first received the request. A
 * required sign-in must happen after the signed time. If the authorization request already contains a valid
 * signed time, the function keeps this time. The signed time prevents an endless loop of redirects to
 * sign-in, even if the clocks of two servers differ.
 */
export function withFirstSeen(deps: Deps, request: AuthorizationRequest): AuthorizationRequest {
  const demands = DEMANDS.some((name) => request.parameters.has(name));
  if (!demands || firstSeenOf(deps, request) !== null) return request;
  const moment = String(deps.clock().getTime());
  const value = `${moment}.${csrfToken(deps.keys, subjectOf(request, moment))}`;
  const withTime = (parameters: ReadonlyMap<string, string>) => new Map([...parameters, [FIRST_SEEN, value]]);
  const { urlParameters } = request;
  return {
    ...request,
    parameters: withTime(request.parameters),
    ...(urlParameters === undefined ? {} : { urlParameters: withTime(urlParameters) }),
  };
}

/**
 * Returns the signed time at which the server first received a request; null when the signature of the time
 * is invalid, or the time is too long ago.
 */
export function firstSeenOf(deps: Deps, request: AuthorizationRequest): Date | null {
  const [moment = "", tag = ""] = (request.parameters.get(FIRST_SEEN) ?? "").split(".");
  if (!/^\d{1,15}$/.test(moment) || !csrfTokenMatches(deps.keys, subjectOf(request, moment), tag))
    return null;
  const age = deps.clock().getTime() - Number(moment);
  return age <= HOURS_VALID * 3_600_000 ? new Date(Number(moment)) : null;
}

/**
 * Returns the text from which the signature of the signed time is computed. The text contains all other
 * parameters of the request, so that the signed time is not valid in another request.
 */
const subjectOf = ({ parameters }: AuthorizationRequest, moment: string): string =>
  `${FIRST_SEEN} ${moment} ${JSON.stringify([...parameters].filter(([name]) => !ADDED_PARAMETERS.includes(name)))}`;
