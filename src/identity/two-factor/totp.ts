import { Secret, TOTP } from "otpauth";
import { encode } from "uqr";

/** The parameters of RFC 6238 that all authenticator apps support: SHA-1, six digits, thirty seconds. */
const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;

/** The accepted difference between the clocks of the app and the server, in time steps (RFC 6238 §5.2). */
const WINDOW = 1;

const totpOf = (secret: string, names: Readonly<{ issuer?: string; label?: string }> = {}): TOTP =>
  new TOTP({ ...names, secret: Secret.fromBase32(secret), digits: 6, period: PERIOD_SECONDS });

/** Returns a new shared secret, in base32. */
export const newTotpSecret = (randomBytes: (size: number) => Uint8Array): string =>
  new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer }).base32;

/**
 * Returns the accepted time step to which a code belongs; null for a wrong code. The function also accepts a
 * code that was used before, because `claimStep` of the store refuses used codes.
 * @param typed the entered code, with or without spaces.
 */
export function totpStep(secret: string, typed: string, now: Date): number | null {
  const token = typed.replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const delta = totpOf(secret).validate({ token, timestamp: now.getTime(), window: WINDOW });
  return delta === null ? null : Math.floor(now.getTime() / 1000 / PERIOD_SECONDS) + delta;
}

/** Returns whether a text has the format of a code of an authenticator app. */
export const looksLikeTotp = (typed: string): boolean => /^\d{6}$/.test(typed.replace(/\s/g, ""));

/**
 * The data for the setup of an authenticator app: the secret in groups of four characters, the setup URI, and
 * a QR code of the setup URI as an SVG path.
 */
export type TotpSetup = Readonly<{
  secret: string;
  uri: string;
  qr: Readonly<{ size: number; path: string }>;
}>;

/** @param host the host of the instance, without a port, because apps interpret a colon as a separator. */
export function totpSetup(secret: string, host: string, username: string): TotpSetup {
  const uri = totpOf(secret, { issuer: `Gatehouse ${host}`, label: username }).toString();
  return { secret: secret.match(/.{1,4}/g)?.join(" ") ?? "", uri, qr: qrOf(uri) };
}

/**
 * Returns the SVG path of a QR code. In each row, a run of dark modules becomes a rectangle with a height of
 * one module.
 */
function qrOf(text: string): TotpSetup["qr"] {
  const { size, data } = encode(text, { ecc: "M", border: 2 });
  const runs = data.flatMap((row, y) =>
    [
      ...row
        .map((dark) => (dark ? "1" : "0"))
        .join("")
        .matchAll(/1+/g),
    ].map(({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`),
  );
  return { size, path: runs.join("") };
}
