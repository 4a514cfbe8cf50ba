/**
 * The methods with which a user authenticates in a browser session. The methods `provider` and
 * `dated_provider` are responses of another provider, which replace the password. The response of a
 * `dated_provider` states the time at which the user authenticated at the provider. The response of a
 * `provider` does not state the time of the authentication, so the user may have authenticated long ago. The
 * method `email_link` is the link of an invitation. A `verified_passkey` has verified its user by a PIN or a
 * biometric. A `passkey` has verified only that a user is present.
 */
const METHODS = [
  "password",
  "provider",
  "dated_provider",
  "email_link",
  "totp",
  "recovery_code",
  "passkey",
  "verified_passkey",
] as const;
export type AuthenticationMethod = (typeof METHODS)[number];
export type AuthenticationMethods = readonly AuthenticationMethod[];

/** The methods that are a second factor after a password, or after the response of another provider. */
const SECOND_FACTORS: AuthenticationMethods = ["totp", "recovery_code", "passkey", "verified_passkey"];
const FIRST_FACTORS: AuthenticationMethods = ["password", "provider", "dated_provider"];

const hasOneOf = (methods: AuthenticationMethods, wanted: AuthenticationMethods): boolean =>
  methods.some((method) => wanted.includes(method));

/**
 * The supported authentication context classes, weakest first. Each authentication context class includes the
 * weaker classes. The second class is the multi-factor policy of OpenID PAPE 1.0. The third class is the
 * phishing-resistant authentication of OpenID Connect EAP ACR Values 1.0. Decision 113 gives the reasons for
 * the names of the classes.
 */
export const ACR_VALUES = [
  "urn:gatehouse:acr:single-factor",
  "http://schemas.openid.net/pape/policies/2007/06/multi-factor",
  "phr",
] as const;
export type Acr = (typeof ACR_VALUES)[number];
const [SINGLE_FACTOR, MULTI_FACTOR] = ACR_VALUES;
export const PHISHING_RESISTANT = ACR_VALUES[2];

/** Returns whether the class `reached` includes the class `wanted`. */
export const includesAcr = (reached: Acr | null, wanted: Acr): boolean =>
  reached !== null && ACR_VALUES.indexOf(reached) >= ACR_VALUES.indexOf(wanted);

/**
 * Parses the stored authentication methods of a session, most recent method last.
 * @returns null for a session whose methods are unknown.
 */
export function methodsFrom(text: string | null): AuthenticationMethods | null {
  const words = text?.split(" ") ?? [];
  const methods = words.flatMap((word) => METHODS.filter((method) => method === word));
  return methods.length === 0 ? null : methods;
}

/**
 * Returns whether the time of the last authentication is known. The time of the last authentication is also
 * known for a session that an earlier version of Gatehouse created, although the methods of the session are
 * unknown.
 */
export const isTimeKnown = (methods: AuthenticationMethods | null): boolean => methods?.at(-1) !== "provider";

/**
 * Returns the strongest authentication context class of these methods; null for unknown methods. The returned
 * class is phishing-resistant only if the most recent method is a passkey, because `auth_time` is the time of
 * the most recent method. A verified passkey that was used before the most recent method counts only as a
 * first factor.
 */
export function acrOf(methods: AuthenticationMethods | null): Acr | null {
  const last = methods?.at(-1);
  if (methods === null || last === undefined) return null;
  if (last === "verified_passkey") return PHISHING_RESISTANT;
  if (!SECOND_FACTORS.includes(last)) return SINGLE_FACTOR;
  if (hasOneOf(methods, FIRST_FACTORS)) return last === "passkey" ? PHISHING_RESISTANT : MULTI_FACTOR;
  return methods.includes("verified_passkey") ? MULTI_FACTOR : SINGLE_FACTOR;
}

/**
 * The `amr` values of each method (RFC 8176 §2, OpenID Connect EAP ACR Values 1.0). The value `pop` does not
 * say whether hardware protects the key, because only an attestation would show this. A sign-in at another
 * provider has no `amr` value, because the methods at the provider are unknown. The link of an invitation
 * and recovery codes have no `amr` value either.
 */
const AMR: Readonly<Record<AuthenticationMethod, readonly string[]>> = {
  password: ["pwd"],
  provider: [],
  dated_provider: [],
  email_link: [],
  totp: ["otp"],
  recovery_code: [],
  passkey: ["pop", "user"],
  verified_passkey: ["pop", "user"],
};

/** Returns the `amr` values of these methods (OpenID Connect Core §2). */
export function amrOf(methods: AuthenticationMethods | null): readonly string[] {
  const values = (methods ?? []).flatMap((method) => AMR[method]);
  return [...new Set([...values, ...(includesAcr(acrOf(methods), MULTI_FACTOR) ? ["mfa"] : [])])];
}

/**
 * Returns the class and the methods of an authentication in the form in which grants store them; null for
 * unknown values.
 */
export const authenticationContext = (
  methods: AuthenticationMethods | null,
): Readonly<{ acr: Acr | null; amr: string | null }> => ({
  acr: acrOf(methods),
  amr: amrOf(methods).join(" ") || null,
});

/**
 * Returns the methods of a session after a re-authentication. The time of the re-authentication becomes the
 * time of the authentication. The first factor of the sign-in stays among the methods. A new second factor
 * replaces an earlier second factor, so that the class of the authentication never depends on an older second
 * factor. A session without a first factor keeps the method with which it was opened. A re-authentication
 * with a first factor is possible only for a user without a second factor.
 * @returns the methods, most recent method last.
 */
export function methodsAfter(
  before: AuthenticationMethods | null,
  method: AuthenticationMethod,
): AuthenticationMethods {
  if (!hasOneOf([method], SECOND_FACTORS)) return [method];
  const first = (before ?? []).filter((earlier) => FIRST_FACTORS.includes(earlier));
  const opening = first.length > 0 ? first : (before ?? []).slice(0, 1);
  return [...opening.filter((earlier) => earlier !== method), method];
}

/** The second factors that a user has set up. */
export type SecondFactors = Readonly<{ totp: boolean; passkeys: boolean }>;

/**
 * The authentication that a session lacks: a second factor, a passkey, or a complete sign-in if the first
 * factor is unknown. The value is `unattainable` if the user has not set up the factor that the session
 * lacks.
 */
export type MissingAuthentication = "nothing" | StepUpFactor | "sign_in" | "unattainable";
export type StepUpFactor = "second_factor" | "passkey";

/**
 * Returns the authentication that is missing in the session of a user for an authentication context class.
 */
export function missingAuthentication(
  wanted: Acr,
  methods: AuthenticationMethods | null,
  { totp, passkeys }: SecondFactors,
): MissingAuthentication {
  if (includesAcr(acrOf(methods), wanted)) return "nothing";
  const factor = wanted === PHISHING_RESISTANT ? "passkey" : "second_factor";
  const isAttainable = wanted === SINGLE_FACTOR || passkeys || (wanted === MULTI_FACTOR && totp);
  if (!isAttainable) return "unattainable";
  return methods !== null && hasOneOf(methods, FIRST_FACTORS) ? factor : "sign_in";
}
