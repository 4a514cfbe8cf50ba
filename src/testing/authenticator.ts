import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { PasskeyCreation, PasskeyRequest } from "@/identity/two-factor/passkey.ts";
import { ORIGIN } from "./authorization.ts";

/** Deviations from the specification that a test can request from the authenticator or its browser. */
type Faults = Readonly<{
  /** Whether the authenticator verified its user by a fingerprint or a PIN; true by default. */
  verified?: boolean;
  /** The value of the signature counter that replaces the incremented value. */
  counter?: number;
  origin?: string;
  rpId?: string;
  userHandle?: string;
}>;

export type Authenticator = Readonly<{
  /** Creates a passkey for the options of a page, as JSON in the format of the browser library. */
  create: (creation: PasskeyCreation, faults?: Faults) => string;
  /** Signs the challenge of a page with the passkey, and returns the response as JSON. */
  get: (request: PasskeyRequest, faults?: Faults) => string;
}>;

const sha256 = (data: string | Buffer): Buffer => createHash("sha256").update(data).digest();
const base64url = (data: string | Buffer): string => Buffer.from(data).toString("base64url");
const uint = (bytes: number, value: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/**
 * Returns a software authenticator with one passkey (WebAuthn Level 3 §6), which can also send invalid
 * responses.
 */
export function newAuthenticator(): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(16);
  let counter = 0;
  let userHandle = "";

  const authenticatorData = (flags: number, faults: Faults, rest = Buffer.alloc(0)): Buffer => {
    counter = faults.counter ?? counter + 1;
    const allFlags = flags | PRESENT | ((faults.verified ?? true) ? VERIFIED : 0);
    return Buffer.concat([sha256(faults.rpId ?? "localhost"), Buffer.of(allFlags), uint(4, counter), rest]);
  };
  const clientData = (type: string, challenge: string, faults: Faults): string =>
    JSON.stringify({ type, challenge, origin: faults.origin ?? ORIGIN, crossOrigin: false });
  const credentialJson = (response: object): string =>
    JSON.stringify({ id: base64url(id), rawId: base64url(id), type: "public-key", response });

  return {
    create: (creation, faults = {}) => {
      userHandle = creation.user.id;
      const coordinate = (label: number, value: string) =>
        Buffer.concat([Buffer.of(label, 0x58, 32), Buffer.from(value, "base64url")]);
      // A COSE key (RFC 9052 §7): EC2, ES256, P-256.
      const key = Buffer.concat([
        Buffer.of(0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01),
        coordinate(0x21, x),
        coordinate(0x22, y),
      ]);
      const credential = Buffer.concat([Buffer.alloc(16), uint(2, id.length), id, key]);
      const data = authenticatorData(HAS_CREDENTIAL, faults, credential);
      // CBOR: {fmt: "none", attStmt: {}, authData: data}.
      const attestation = Buffer.concat([
        Buffer.from("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58", "latin1"),
        Buffer.of(data.length),
        data,
      ]);
      const clientDataJSON = base64url(clientData("webauthn.create", creation.challenge, faults));
      return credentialJson({
        clientDataJSON,
        attestationObject: base64url(attestation),
        transports: ["internal"],
      });
    },
    get: (request, faults = {}) => {
      const data = authenticatorData(0, faults);
      const client = clientData("webauthn.get", request.challenge, faults);
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), privateKey);
      return credentialJson({
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
        userHandle: faults.userHandle ?? userHandle,
      });
    },
  };
}
