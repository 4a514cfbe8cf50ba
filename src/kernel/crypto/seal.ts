import { createCipheriv, createDecipheriv } from "node:crypto";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts and authenticates text (AES-256-GCM) for the database.
 * @param key 32 bytes.
 * @param purpose the use of the text. The use is also authenticated, so a text that was encrypted for another
 * use cannot be decrypted.
 */
export function seal(
  randomBytes: (size: number) => Uint8Array,
  key: Buffer,
  purpose: string,
  text: string,
): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
}

/**
 * Decrypts a text that was encrypted with the given key and purpose. Returns null if the text was encrypted
 * with another key or purpose, or if the text was modified.
 */
export function open(key: Buffer, purpose: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, "base64url");
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const options = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES), options)
    .setAAD(Buffer.from(purpose))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return (
      decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8")
    );
  } catch {
    return null;
  }
}
