import type { KeyObject } from "node:crypto";
import { compactVerify, createLocalJWKSet } from "jose";
import * as audit from "@/instance/audit/service";
import { lockInstance } from "@/instance/lock/instance-lock";
import { readSettings } from "@/instance/settings/service";
import { signRs256 } from "@/kernel/crypto/jwt";
import { open, seal } from "@/kernel/crypto/seal";
import type { Deps } from "@/kernel/deps/deps";
import { processWide } from "@/kernel/process/process-wide";
import { type KeyPair, newKeyPair, privateKeyOf } from "./key-pair";
import { publishedSince } from "./rules";
import { idTokenClaims, type PublicJwk, publicJwk } from "./schema";
import * as store from "./store";
import { listPublicKeys, type PublicKeyRow } from "./store.sql";

/**
 * The cached keys of the process. `opened` is the decrypted key that signed last, because decrypting takes
 * longer than signing. `firstPair` is one key pair for all requests that need the first key simultaneously.
 * `parsed` is the list of public keys that was returned last.
 */
const state = processWide<{
  opened: Readonly<{ kid: string; key: KeyObject }> | null;
  firstPair: Promise<KeyPair> | null;
  parsed: Readonly<{ texts: readonly string[]; keys: readonly PublicJwk[] }>;
}>("signing-key", () => ({ opened: null, firstPair: null, parsed: { texts: [], keys: [] } }));

/**
 * Signs claims as a JSON Web Token (RS256, RFC 7515 §3.1) with the newest key. Creates the first key when the
 * instance has no key. The newest key is looked up each time, so that a rotation by another process takes
 * effect immediately.
 * @throws an Error when the key was sealed with another instance secret.
 */
export async function signJwt(deps: Deps, claims: object): Promise<string> {
  const { kid, key } = await signingKey(deps);
  return signRs256({ kid }, claims, key);
}

async function signingKey(deps: Deps): Promise<Readonly<{ kid: string; key: KeyObject }>> {
  const row = (await store.newest(deps.db)) ?? (await createFirstKey(deps));
  const { opened } = state();
  if (opened?.kid === row.kid) return opened;
  const pem = open(deps.keys.sealing, purposeOf(row.kid), row.sealedPrivate);
  if (pem === null) throw new Error("The signing key cannot be opened with this instance secret.");
  const key = { kid: row.kid, key: privateKeyOf(pem) };
  state().opened = key;
  return key;
}

const purposeOf = (kid: string): string => `signing-key ${kid}`;

/**
 * Creates the first key. Processes that need the first key simultaneously wait for each other, so that only
 * one key is created.
 */
async function createFirstKey(deps: Deps): Promise<store.SigningKeyRow> {
  const pending = state();
  pending.firstPair ??= newKeyPair().finally(() => {
    pending.firstPair = null;
  });
  const row = rowOf(deps, await pending.firstPair);
  return deps.transaction(async (within) => {
    await lockInstance(within);
    const first = await store.newest(within.db);
    if (first !== null) return first;
    await store.insert(within.db, { ...row, createdAt: within.clock() });
    return row;
  });
}

function rowOf(deps: Deps, { privatePem, jwk }: KeyPair): store.SigningKeyRow {
  const sealedPrivate = seal(deps.randomBytes, deps.keys.sealing, purposeOf(jwk.kid), privatePem);
  return { kid: jwk.kid, sealedPrivate, publicJwk: JSON.stringify(jwk) };
}

/**
 * Creates a new signing key. The old keys stay published until the tokens that they signed have expired and
 * no client caches an old key list (OpenID Connect Core §10.1.1).
 * @returns the thumbprint of the new key.
 */
export async function rotateKeys(deps: Deps): Promise<string> {
  const row = rowOf(deps, await newKeyPair());
  await deps.transaction(async (within) => {
    const now = within.clock();
    await lockInstance(within);
    await store.retireAll(within.db, now);
    await store.insert(within.db, { ...row, createdAt: now });
    await audit.record(within, "keys.rotated", { kid: row.kid }, {});
  });
  return row.kid;
}

/**
 * Returns the public keys that verify tokens of this instance, newest first. The function returns the same array
 * object until the keys change. The function makes one prepared look-up, and a second look-up while a retired key is
 * stored.
 */
export async function publishedKeys(deps: Deps): Promise<readonly PublicJwk[]> {
  let rows = await listPublicKeys(deps.prepared);
  if (!rows.some(isCurrent)) {
    await createFirstKey(deps);
    rows = await listPublicKeys(deps.prepared);
  }
  const since = rows.every(isCurrent) ? null : await sinceNow(deps);
  const published = rows.filter(({ retiredAt }) => retiredAt === null || since === null || retiredAt > since);
  const texts = published.map((row) => row.publicJwk);
  const { parsed } = state();
  if (texts.length === parsed.texts.length && texts.every((text, index) => text === parsed.texts[index]))
    return parsed.keys;
  const keys = texts.map((text) => publicJwk.parse(JSON.parse(text)));
  state().parsed = { texts, keys };
  return keys;
}

const isCurrent = ({ retiredAt }: PublicKeyRow): boolean => retiredAt === null;

/**
 * Deletes retired keys that are no longer published.
 * @returns the number of deleted keys.
 */
export const pruneKeys = async (deps: Deps): Promise<number> =>
  store.removeRetiredBefore(deps.db, await sinceNow(deps));

const sinceNow = async (deps: Deps): Promise<Date> =>
  publishedSince(deps.clock(), (await readSettings(deps)).id_token_expires_in);

/** The user and the client of an ID token of this instance. */
export type IdTokenSubject = Readonly<{ userId: number; clientUid: string }>;

/**
 * Verifies an ID token that is sent as a hint. A published key must verify the signature, and the issuer must
 * be this instance. The token may have expired (OpenID Connect RP-Initiated Logout §4).
 * @returns null for any other token, including a token that is signed with another algorithm than RS256.
 */
export async function readIdToken(deps: Deps, token: string): Promise<IdTokenSubject | null> {
  const keys = createLocalJWKSet({ keys: [...(await publishedKeys(deps))] });
  const verified = await compactVerify(token, keys, { algorithms: ["RS256"] }).catch(() => null);
  const claims = idTokenClaims.safeParse(verified && JSON.parse(Buffer.from(verified.payload).toString()));
  return claims.success && claims.data.iss === deps.config.issuer
    ? { userId: Number(claims.data.sub), clientUid: claims.data.aud }
    : null;
}
