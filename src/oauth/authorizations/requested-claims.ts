import { z } from "zod";
import type { Scope } from "@/access/scopes";
import {
  ACR_VALUES,
  type Acr,
  includesAcr,
  PHISHING_RESISTANT,
} from "@/identity/sessions/authentication-methods";
import { type RequestedFactor, STEP_UP_DECLINED } from "@/identity/sessions/sign-in-path";
import type { Application } from "../applications/rules";
import type { AuthorizationRequest } from "./rules";

/** The maximum length of the parameter `claims`, in bytes. */
export const CLAIMS_BYTES_MAX = 4_096;

/**
 * A requested claim (OpenID Connect Core §5.5.1). `null` requests the claim without further conditions. A
 * requested claim has either `value` or `values`.
 */
const claim = z
  .object({
    essential: z.boolean().optional(),
    value: z.unknown().optional(),
    values: z.array(z.unknown()).min(1).optional(),
  })
  .refine(({ value, values }) => value === undefined || values === undefined)
  .nullable();
const claims = z.record(z.string(), claim).default({});
const parameter = z.object({ id_token: claims, userinfo: claims });

/** The parameter `claims` (OpenID Connect Core §5.5). Unknown members and unknown claims have no effect. */
export type RequestedClaims = z.infer<typeof parameter>;

/** Parses the parameter `claims`. @returns null if the parameter is malformed or too long. */
export function parseClaims(text: string | undefined): RequestedClaims | null {
  if (text === undefined) return { id_token: {}, userinfo: {} };
  if (Buffer.byteLength(text) > CLAIMS_BYTES_MAX) return null;
  try {
    return parameter.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Returns the requested values of a claim of the ID token. */
function valuesOf(request: AuthorizationRequest, name: "acr" | "sub"): readonly unknown[] {
  const requested = request.claims?.id_token[name];
  return requested?.values ?? (requested?.value === undefined ? [] : [requested.value]);
}

/**
 * The requested authentication context classes, preferred class first. An authentication context class that
 * the server does not support is ignored.
 */
type AcrDemand = Readonly<{ acrs: readonly Acr[]; isEssential: boolean; isOfParameter: boolean }>;

/**
 * Returns the authentication context classes that a request demands; null for a request that demands no
 * class. The values of the claim `acr` replace `acr_values`. If the claim `acr` is essential, the session
 * must reach one of the requested authentication context classes. An essential claim `acr` without values
 * accepts any class (OpenID Connect Core §3.1.2.1, §5.5.1.1).
 */
export function acrDemandOf(request: AuthorizationRequest): AcrDemand | null {
  const isEssential = request.claims?.id_token["acr"]?.essential === true;
  const ofClaim = valuesOf(request, "acr");
  const ofParameter = (request.parameters.get("acr_values") ?? "").split(" ").filter((word) => word !== "");
  const values: readonly unknown[] = ofClaim.length > 0 ? ofClaim : ofParameter;
  const isOfParameter = ofClaim.length === 0 && ofParameter.length > 0;
  if (values.length === 0)
    return isEssential ? { acrs: ACR_VALUES.toReversed(), isEssential, isOfParameter } : null;
  const acrs = values.flatMap((value) => ACR_VALUES.filter((acr) => acr === value));
  return { acrs, isEssential, isOfParameter };
}

/**
 * Returns whether a request is refused if the authentication of the user reaches none of the requested
 * classes. If no requested class is reached, a request with an essential claim `acr` is refused. If no
 * requested class is reached, a request with a supported class in `acr_values` is refused only if a resource
 * server could reject the access token because of the class (RFC 9470 §5). In any other request, `acr_values`
 * is voluntary (OpenID Connect Core §3.1.2.1).
 */
export function requiresAcr(
  request: AuthorizationRequest,
  scopes: readonly Scope[],
  { tokens }: Pick<Application, "tokens">,
): boolean {
  const demand = acrDemandOf(request);
  if (demand === null) return false;
  const isForResourceServer =
    request.parameters.has("resource") || tokens.accessTokenFormat === "jwt" || !scopes.includes("openid");
  return demand.isEssential || (demand.isOfParameter && demand.acrs.length > 0 && isForResourceServer);
}

/**
 * Returns the factor that a re-authentication must use so that the session still reaches the requested
 * authentication context class after the re-authentication. The re-authentication itself has another reason,
 * for example powerful scopes. Returns null if a re-authentication with any factor is sufficient, or if the
 * user has declined the factor.
 */
export function factorToKeep(
  request: AuthorizationRequest,
  scopes: readonly Scope[],
  application: Pick<Application, "tokens">,
): RequestedFactor | null {
  const acrs = acrDemandOf(request)?.acrs ?? [];
  if (
    request.parameters.has(STEP_UP_DECLINED) ||
    acrs.length === 0 ||
    acrs.some((acr) => acr !== PHISHING_RESISTANT)
  )
    return null;
  return { factor: "passkey", isRequired: requiresAcr(request, scopes, application) };
}

/**
 * Returns the authentication context class that the response to an authorization request contains. The result
 * is the first requested class that the authentication includes, because a client may compare the class in
 * the response with the requested classes. If the authentication includes no requested class, the result is
 * the authentication context class that the authentication of the user has reached.
 */
export const statedAcr = (request: AuthorizationRequest, reached: Acr | null): Acr | null =>
  acrDemandOf(request)?.acrs.find((acr) => includesAcr(reached, acr)) ?? reached;

/** Returns whether the claim `sub` of a request names another user (OpenID Connect Core §5.5.1). */
export function requestsOtherUser(request: AuthorizationRequest, user: Readonly<{ id: number }>): boolean {
  const values = valuesOf(request, "sub");
  return values.length > 0 && !values.includes(String(user.id));
}

/** The claims about a user that the scope `openid` does not grant, and the scopes that grant these claims. */
const SCOPE_OF_CLAIM = { email: "email", email_verified: "email" } as const satisfies Record<string, Scope>;

/**
 * Returns the scopes of a request, including the scopes of individually requested claims, so that the consent
 * page also shows these claims. A claim is ignored if the application does not have the scope of the claim
 * (OpenID Connect Core §5.5.1).
 */
export function withScopesOfClaims(
  request: AuthorizationRequest,
  scopes: readonly Scope[],
  application: Pick<Application, "scopes">,
): readonly Scope[] {
  if (!scopes.includes("openid")) return scopes;
  const requested = request.claims;
  const names = Object.keys({ ...requested?.id_token, ...requested?.userinfo });
  const added = Object.entries(SCOPE_OF_CLAIM).flatMap(([name, scope]) =>
    names.includes(name) && application.scopes.includes(scope) ? [scope] : [],
  );
  return [...new Set([...scopes, ...added])];
}
