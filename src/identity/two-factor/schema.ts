import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { z } from "zod";

const base64url = z
  .string()
  .max(16_384)
  .regex(/^[A-Za-z0-9_-]+$/);
const transports = z.array(z.string().regex(/^[a-z-]{1,20}$/)).max(8);

const common = { id: base64url, rawId: base64url, type: z.literal("public-key") };

const authentication = z.object({
  ...common,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.optional(),
  }),
});

const registration = z.object({
  ...common,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: transports.optional(),
  }),
});

/**
 * Parses the response of an authenticator. The browser library serializes the response as JSON.
 * @returns null for JSON that is not a response of an authenticator.
 */
export function readAuthentication(text: string): AuthenticationResponseJSON | null {
  const parsed = authentication.safeParse(jsonOrNull(text));
  if (!parsed.success) return null;
  const { userHandle, ...response } = parsed.data.response;
  const handle = userHandle === undefined ? {} : { userHandle };
  return { ...parsed.data, response: { ...response, ...handle }, clientExtensionResults: {} };
}

export function readRegistration(text: string): RegistrationResponseJSON | null {
  const parsed = registration.safeParse(jsonOrNull(text));
  if (!parsed.success) return null;
  const { transports: ways = [], ...response } = parsed.data.response;
  return { ...parsed.data, response: { ...response, transports: ways }, clientExtensionResults: {} };
}

const clientData = z.object({ challenge: base64url });

/** Returns the challenge that a response contains, without verification. */
export function challengeIn(clientDataJSON: string): string | null {
  const parsed = clientData.safeParse(jsonOrNull(Buffer.from(clientDataJSON, "base64url").toString("utf8")));
  return parsed.success ? parsed.data.challenge : null;
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
