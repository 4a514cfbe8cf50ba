import { z } from "zod";

/**
 * A public RSA key in its stored and published form (RFC 7517, RFC 7518 §6.3.1). Other members are removed.
 */
export const publicJwk = z.object({
  kty: z.literal("RSA"),
  n: z.string(),
  e: z.string(),
  kid: z.string(),
  use: z.literal("sig"),
  alg: z.literal("RS256"),
});

export type PublicJwk = z.infer<typeof publicJwk>;

/** The claims of an ID token that identify its user and its client. */
export const idTokenClaims = z.object({
  iss: z.string(),
  sub: z.string().regex(/^[1-9]\d{0,9}$/),
  aud: z.string(),
});
