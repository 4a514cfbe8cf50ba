import { csrfToken, csrfTokenMatches } from "@/kernel/crypto/keys";
import type { Deps } from "@/kernel/deps/deps";
import { FIRST_SEEN } from "./authorization-request";
import type { AuthorizationRequest } from "./rules";

/** A person who comes back later than this to a request that demanded a sign-in signs in once more. */
const HOURS_VALID = 1;

/** Demands that a sign-in can meet (OpenID Connect Core §3.1.2.1). */
const DEMANDS = ["prompt", "max_age", "id_token_hint"];

/**
 * The request with the moment when it was first seen, signed: the sign-in that it demands has to happen after that.
 * Kept when it is already there, so that the way to sign-in and back comes to an end whatever the clocks say.
 */
export function withFirstSeen(deps: Deps, request: AuthorizationRequest): AuthorizationRequest {
  const demands = DEMANDS.some((name) => request.parameters.has(name));
  if (!demands || firstSeenOf(deps, request) !== null) return request;
  const moment = String(deps.clock().getTime());
  const value = `${moment}.${csrfToken(deps.keys, subjectOf(request, moment))}`;
  return { ...request, parameters: new Map([...request.parameters, [FIRST_SEEN, value]]) };
}

/** When this very request was first seen; null when it does not say so truly, or that was too long ago. */
export function firstSeenOf(deps: Deps, request: AuthorizationRequest): Date | null {
  const [moment = "", tag = ""] = (request.parameters.get(FIRST_SEEN) ?? "").split(".");
  if (!/^\d{1,15}$/.test(moment) || !csrfTokenMatches(deps.keys, subjectOf(request, moment), tag))
    return null;
  const age = deps.clock().getTime() - Number(moment);
  return age <= HOURS_VALID * 3_600_000 ? new Date(Number(moment)) : null;
}

/** All of the request but this, so that it cannot be moved to another one. */
const subjectOf = ({ parameters }: AuthorizationRequest, moment: string): string =>
  `${FIRST_SEEN} ${moment} ${JSON.stringify([...parameters].filter(([name]) => name !== FIRST_SEEN))}`;
