import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { canSignIn, type User } from "@/access/principal";
import { csrfToken, type KeySet } from "@/kernel/crypto/keys";
import { openSealedToken, sealToken } from "@/kernel/crypto/sealed-token";
import type { Deps } from "@/kernel/deps/deps";
import * as users from "../users/service";
import { challengeIn, readAuthentication, readRegistration } from "./schema";
import { claimSealedToken } from "./sealed-token";
import * as store from "./store";

/** The WebAuthn options of a page that requests or creates a passkey. */
export type PasskeyRequest = PublicKeyCredentialRequestOptionsJSON;
export type PasskeyCreation = PublicKeyCredentialCreationOptionsJSON;

/** The lifetime of a passkey challenge (WebAuthn Level 3 §13.4.3). */
const CHALLENGE_SECONDS = 15 * 60;

/** The signature algorithms that authenticators support: ES256, EdDSA and RS256. */
const ALGORITHMS = [-8, -7, -257];

/** Imports the library for passkeys. The library is large, so it is loaded when a passkey is first used. */
const library = () => import("@simplewebauthn/server");

/**
 * Creates a challenge: an encrypted text that contains its purpose, its user and its expiry. The server
 * stores nothing until the challenge is used.
 * @param purpose the only use for which the response is valid, such as `sign_in`, and the session or the
 * sign-in to which the response belongs.
 * @param text a text that the challenge contains, and that the server reads from the response.
 */
const newChallenge = (deps: Deps, purpose: string, text = ""): string =>
  sealToken(deps, `passkey ${purpose}`, text, CHALLENGE_SECONDS);

const rpIdOf = (deps: Deps): string => deps.config.baseUrl.hostname;

/**
 * Returns a user handle for an authenticator. The user handle contains no personal data (WebAuthn §14.6.1).
 */
const handleOf = (keys: KeySet, userId: number): string =>
  Buffer.from(csrfToken(keys, `passkey_user ${userId}`)).toString("base64url");

/** Returns whether a user handle from an authenticator belongs to the passkey. */
const handleMatches = ({ keys }: Deps, passkey: store.StoredPasskey, handle: string): boolean =>
  passkey.userHandle === null
    ? [keys, ...keys.previous].some((set) => handle === handleOf(set, passkey.userId))
    : handle === passkey.userHandle;

/** The number of passkeys that one transaction changes. */
const BATCH = 200;

/**
 * Stores the user handle of each passkey that was created by a version of Gatehouse that did not store user
 * handles. A user handle that is not stored was derived from the previous instance secret, and authenticators
 * cannot change the user handle.
 */
export async function keepUserHandles(deps: Deps, previous: KeySet): Promise<void> {
  for (let last = BATCH; last === BATCH; ) {
    last = await deps.transaction(async (within) => {
      const passkeys = await store.listWithoutHandle(within.db, BATCH);
      for (const { id, userId } of passkeys)
        await store.setUserHandle(within.db, id, handleOf(previous, userId));
      return passkeys.length;
    });
  }
}

/**
 * Returns the options with which the browser requests a passkey.
 * @param user the user whose passkey is requested; null for a passkey of any user. If `user` is null, the
 * passkey counts as both factors, so the authenticator must verify the user.
 */
export async function requestOptions(
  deps: Deps,
  purpose: string,
  user: User | null,
): Promise<PasskeyRequest> {
  const passkeys = user === null ? [] : await store.listPasskeys(deps.db, user.id);
  return {
    challenge: newChallenge(deps, purpose),
    rpId: rpIdOf(deps),
    timeout: 300_000,
    userVerification: user === null ? "required" : "preferred",
    allowCredentials: passkeys.map(descriptorOf),
  };
}

const descriptorOf = ({ credentialId, transports }: store.StoredPasskey) => ({
  id: credentialId,
  type: "public-key" as const,
  transports: transports.split(" ").filter((way) => way !== "") as AuthenticatorTransport[],
});

type AuthenticatorTransport = "ble" | "cable" | "hybrid" | "internal" | "nfc" | "smart-card" | "usb";

/** Returns the options with which the browser creates a passkey for this user. */
export async function creationOptions(deps: Deps, purpose: string, user: User): Promise<PasskeyCreation> {
  const passkeys = await store.listPasskeys(deps.db, user.id);
  // All passkeys of a user have the same user handle, so that an authenticator recognizes the user.
  const handle = passkeys[0]?.userHandle ?? handleOf(deps.keys, user.id);
  return {
    challenge: newChallenge(deps, purpose, handle),
    rp: { id: rpIdOf(deps), name: "Gatehouse" },
    user: { id: handle, name: user.username, displayName: user.name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: "public-key" })),
    timeout: 300_000,
    attestation: "none",
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
    excludeCredentials: passkeys.map(descriptorOf),
  };
}

export type PasskeyRefusal = "expired" | "wrong";

/**
 * Verifies the response of an authenticator.
 * @param assertion.text the response of the browser as JSON.
 * @param assertion.user the expected user; null when the passkey identifies the user. If `user` is null, the
 * authenticator must have verified the user.
 * @returns the user, and whether the authenticator has verified the user; `expired` if the challenge has
 * expired, was already used or has another purpose; `wrong` for any other invalid response.
 */
export async function provePasskey(
  deps: Deps,
  assertion: Readonly<{ purpose: string; text: string; user: User | null }>,
): Promise<Readonly<{ user: User; method: "passkey" | "verified_passkey" }> | PasskeyRefusal> {
  const response = readAuthentication(assertion.text);
  if (response === null) return refuse(deps, "malformed");
  const challenge = challengeIn(response.response.clientDataJSON) ?? "";
  const opened = openSealedToken(deps, `passkey ${assertion.purpose}`, challenge);
  if (opened === null) return "expired";
  const passkey = await store.findPasskey(deps.db, response.id);
  if (passkey === null) return refuse(deps, "unknown");
  const handle = response.response.userHandle;
  if (handle !== undefined && !handleMatches(deps, passkey, handle)) return refuse(deps, "handle");
  if (assertion.user !== null && assertion.user.id !== passkey.userId) return refuse(deps, "other_person");
  const verified = await verifiedAssertion(deps, {
    response,
    challenge,
    passkey,
    alone: assertion.user === null,
  });
  if (verified === null) return refuse(deps, "unverified");
  if (!(await claimSealedToken(deps, challenge, opened.expiresAt))) return "expired";
  if (!(await store.claimCounter(deps.db, passkey, verified.counter, deps.clock())))
    return refuse(deps, "counter");
  const user = await users.findById(deps, passkey.userId);
  if (user === null || !canSignIn(user.state)) return refuse(deps, "blocked");
  return { user, method: verified.userVerified ? "verified_passkey" : "passkey" };
}

function refuse(deps: Deps, reason: string): "wrong" {
  deps.log.info({ event: "passkey.refused", reason });
  return "wrong";
}

/**
 * Returns the new signature counter of a valid response, and whether the authenticator has verified the user.
 * The result is null for an invalid response, or if the authenticator has a signature counter that did not
 * increase.
 */
async function verifiedAssertion(
  deps: Deps,
  given: Readonly<{
    response: AuthenticationResponseJSON;
    challenge: string;
    passkey: store.StoredPasskey;
    alone: boolean;
  }>,
): Promise<Readonly<{ counter: number; userVerified: boolean }> | null> {
  const { response, challenge, passkey, alone } = given;
  try {
    const { verifyAuthenticationResponse } = await library();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: deps.config.issuer,
      expectedRPID: rpIdOf(deps),
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.counter,
      },
      requireUserVerification: alone,
    });
    const { newCounter: counter, userVerified } = authenticationInfo;
    return verified ? { counter, userVerified } : null;
  } catch {
    // The library throws an error for an invalid response.
    return null;
  }
}

/** A verified passkey that a browser has created. */
export type CreatedPasskey = Readonly<{
  credentialId: string;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
  transports: string;
  userHandle: string | null;
}>;

/** Verifies the response of a browser to `creationOptions`. */
export async function readNewPasskey(
  deps: Deps,
  creation: Readonly<{ purpose: string; text: string }>,
): Promise<CreatedPasskey | PasskeyRefusal> {
  const response = readRegistration(creation.text);
  if (response === null) return refuse(deps, "malformed");
  const challenge = challengeIn(response.response.clientDataJSON) ?? "";
  const opened = openSealedToken(deps, `passkey ${creation.purpose}`, challenge);
  if (opened === null) return "expired";
  const registration = await verifiedRegistration(deps, response, challenge);
  if (registration === null) return refuse(deps, "unverified");
  if (!(await claimSealedToken(deps, challenge, opened.expiresAt))) return "expired";
  return { ...registration, userHandle: opened.text || null };
}

async function verifiedRegistration(
  deps: Deps,
  response: RegistrationResponseJSON,
  challenge: string,
): Promise<Omit<CreatedPasskey, "userHandle"> | null> {
  try {
    const { verifyRegistrationResponse } = await library();
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: deps.config.issuer,
      expectedRPID: rpIdOf(deps),
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) return null;
    const { id, publicKey, counter } = registrationInfo.credential;
    const transports = (response.response.transports ?? []).join(" ");
    return { credentialId: id, publicKey: new Uint8Array(publicKey), counter, transports };
  } catch {
    // The library throws an error for an invalid response.
    return null;
  }
}
