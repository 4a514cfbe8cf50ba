import { z } from "zod";

/**
 * The JWK members that all public keys have. The member `use` states that the key only verifies signatures
 * (RFC 7517 §4.2).
 */
const common = { kid: z.string(), use: z.literal("sig") };

/**
 * A public key in its stored and published form (RFC 7517; RFC 7518 §6.2, §6.3.1; RFC 8037 §2). Other members
 * of the public key are removed.
 */
export const publicJwk = z.discriminatedUnion("alg", [
  z.object({ kty: z.literal("RSA"), n: z.string(), e: z.string(), ...common, alg: z.literal("RS256") }),
  z.object({
    kty: z.literal("EC"),
    crv: z.literal("P-256"),
    x: z.string(),
    y: z.string(),
    ...common,
    alg: z.literal("ES256"),
  }),
  z.object({
    kty: z.literal("OKP"),
    crv: z.literal("Ed25519"),
    x: z.string(),
    ...common,
    alg: z.literal("EdDSA"),
  }),
]);

export type PublicJwk = z.infer<typeof publicJwk>;

/** The claims of an ID token that identify its user and its client. */
export const idTokenClaims = z.object({
  iss: z.string(),
  sub: z.string().regex(/^[1-9]\d{0,9}$/),
  aud: z.string(),
});
