import { createPublicKey, type KeyObject, sign } from "node:crypto";

/**
 * The validity period of the certificate in years. The registry rejects all tokens when the certificate has
 * expired, so the period is longer than any registry will run.
 */
const VALID_YEARS = 30;

/**
 * The time by which the start of the certificate's validity is backdated, because the clock of the registry
 * may be slow.
 */
const BACKDATED_MS = 86_400_000;

const SUBJECT = "Gatehouse container registry";

/**
 * Creates a self-signed certificate for an RSA key (RFC 5280 §4.1). The container registry trusts the
 * certificates in its configuration. This function is necessary, because Node.js can parse certificates but
 * cannot create them.
 * @param serial at least eight random bytes.
 * @returns the certificate in PEM.
 */
export function selfSignedCertificate(privateKey: KeyObject, serial: Uint8Array, now: Date): string {
  const end = new Date(now);
  end.setUTCFullYear(end.getUTCFullYear() + VALID_YEARS);
  const body = sequence(
    // Version 3 of X.509 certificates.
    der(0xa0, der(0x02, Buffer.from([2]))),
    // The first byte 0x01 makes the serial number positive, and makes all serial numbers equally long.
    der(0x02, Buffer.from([1]), Buffer.from(serial)),
    SHA256_WITH_RSA,
    NAME,
    sequence(time(new Date(now.getTime() - BACKDATED_MS)), time(end)),
    NAME,
    createPublicKey(privateKey).export({ type: "spki", format: "der" }),
  );
  const signature = der(0x03, Buffer.from([0]), sign("sha256", body, privateKey));
  const lines =
    sequence(body, SHA256_WITH_RSA, signature)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

/** Returns the base64 body of a PEM certificate, for the `x5c` header of a token (RFC 7515 §4.1.6). */
export const certificateBody = (pem: string): string => pem.replace(/-----[A-Z ]+-----|\s/g, "");

/** Encodes a value in the Distinguished Encoding Rules (X.690 §8.1, §10.1). */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const lengthBytes =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), content]);
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return der(0x30, ...parts);
}

const objectId = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));

/** The identifier of the signature algorithm, with the NULL parameter (RFC 4055 §5). */
const SHA256_WITH_RSA = sequence(objectId("2a864886f70d01010b"), der(0x05));

/** The subject and issuer, which consist of a common name (RFC 5280 §4.1.2.4). */
const NAME = sequence(der(0x31, sequence(objectId("550403"), der(0x0c, Buffer.from(SUBJECT)))));

/**
 * Encodes the start or the end of the validity period. Times before 2050 have a two-digit year, later times
 * have a four-digit year (RFC 5280 §4.1.2.5).
 */
function time(at: Date): Buffer {
  const digits = `${at.toISOString().replace(/\D/g, "").slice(0, 14)}Z`;
  return at.getUTCFullYear() < 2050
    ? der(0x17, Buffer.from(digits.slice(2)))
    : der(0x18, Buffer.from(digits));
}
