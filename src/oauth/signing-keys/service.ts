import type { KeyObject } from "node:crypto";
import { compactVerify, createLocalJWKSet } from "jose";
import * as audit from "@/instance/audit/service";
import { lockInstance } from "@/instance/lock/instance-lock";
import type { SealedColumn } from "@/instance/secret-rotation/sealed-column";
import { readSettings } from "@/instance/settings/service";
import { signJws } from "@/kernel/crypto/jwt";
import { seal } from "@/kernel/crypto/seal";
import { openValue } from "@/kernel/crypto/sealed-value";
import type { Deps } from "@/kernel/deps/deps";
import { processWide } from "@/kernel/process/process-wide";
import { type KeyPair, newKeyPair, privateKeyOf } from "./key-pair";
import {
  isSigning,
  publishedSince,
  SIGNING_ALGORITHMS,
  type SigningAlgorithm,
  signsFromOfNewKey,
  successorSignsFrom,
} from "./rules";
import { idTokenClaims, type PublicJwk, publicJwk } from "./schema";
import * as store from "./store";
import { findSigningKey, listPublicKeys, type PublicKeyRow } from "./store.sql";

type OpenedKey = Readonly<{ kid: string; key: KeyObject }>;

/**
 * The signing keys that the process has cached. All caches are keyed by algorithm, except `parsed`. `opened`
 * contains the decrypted key that last signed a token, because decrypting takes longer than signing.
 * `firstPairs` contains the key pairs that are being generated, so that simultaneous requests for the first
 * key share one key pair. `parsed` is the last returned list of public keys.
 */
const state = processWide<{
  opened: Map<SigningAlgorithm, OpenedKey>;
  firstPairs: Map<SigningAlgorithm, Promise<KeyPair>>;
  parsed: Readonly<{ texts: readonly string[]; keys: readonly PublicJwk[] }>;
}>("signing-key", () => ({ opened: new Map(), firstPairs: new Map(), parsed: { texts: [], keys: [] } }));

/**
 * Returns claims as a signed JSON Web Token (RFC 7519 §7.1). The function signs with the current key of the
 * algorithm, and creates the first key if the algorithm has no key. Each call reads the current key by one
 * prepared query, so that a rotation by another process takes effect immediately.
 * @param typ the type of the token (RFC 8725 §3.11).
 * @throws an Error when the signing key was encrypted with another instance secret.
 */
export async function signJwt(
  deps: Deps,
  claims: object,
  algorithm: SigningAlgorithm = "RS256",
  typ = "JWT",
): Promise<string> {
  const { kid, key } = await signingKey(deps, algorithm);
  return signJws({ alg: algorithm, typ, kid }, claims, key);
}

async function signingKey(deps: Deps, algorithm: SigningAlgorithm): Promise<OpenedKey> {
  const find = () => findSigningKey(deps.reads, algorithm, deps.clock());
  let row = await find();
  if (row === null) {
    await publishFirstKey(deps, algorithm);
    row = await find();
  }
  if (row === null) throw new Error("The database returned no signing key.");
  const { opened } = state();
  const existing = opened.get(algorithm);
  if (existing?.kid === row.kid) return existing;
  const pem = openValue(deps.keys, purposeOf(row.kid), row.sealedPrivate);
  if (pem === null)
    throw new Error(
      "The signing key cannot be decrypted with this instance secret. Set GATEHOUSE_SECRET to the secret that encrypted the key.",
    );
  const key = { kid: row.kid, key: privateKeyOf(pem) };
  opened.set(algorithm, key);
  return key;
}

const purposeOf = (kid: string): string => `signing-key ${kid}`;

/**
 * Publishes the first key of an algorithm if the algorithm has no key, so that clients can read the key before
 * its first signature (OpenID Connect Core §10.1.1). If several processes need the first key at the same time,
 * they wait for each other, so that only one key is created.
 */
export async function publishFirstKey(deps: Deps, algorithm: SigningAlgorithm): Promise<void> {
  if (await hasKey(deps, algorithm)) return;
  const pair = await firstPair(algorithm);
  await deps.transaction(async (within) => {
    await lockInstance(within);
    if (await hasKey(within, algorithm)) return;
    await store.insert(within.db, { ...rowOf(within, pair), createdAt: within.clock(), signsFrom: null });
  });
}

const hasKey = async ({ db }: Deps, algorithm: SigningAlgorithm): Promise<boolean> =>
  (await store.algorithms(db)).includes(algorithm);

/** Returns RS256 and the other algorithms that have keys. */
async function algorithmsInUse({ db }: Deps): Promise<readonly SigningAlgorithm[]> {
  const stored = await store.algorithms(db);
  return SIGNING_ALGORITHMS.filter((algorithm) => algorithm === "RS256" || stored.includes(algorithm));
}

/** Generates the first key pair of an algorithm. Simultaneous calls share one key pair. */
function firstPair(algorithm: SigningAlgorithm): Promise<KeyPair> {
  const { firstPairs } = state();
  const pair = firstPairs.get(algorithm) ?? newKeyPair(algorithm).finally(() => firstPairs.delete(algorithm));
  firstPairs.set(algorithm, pair);
  return pair;
}

function rowOf(deps: Deps, { privatePem, jwk }: KeyPair): store.SigningKeyRow {
  const sealedPrivate = seal(deps.randomBytes, deps.keys.sealing, purposeOf(jwk.kid), privatePem);
  return { kid: jwk.kid, algorithm: jwk.alg, sealedPrivate, publicJwk: JSON.stringify(jwk) };
}

/** A signing key of a rotation. `signsFrom` is the time from which the key signs tokens. */
export type RotatedKey = Readonly<{ kid: string; algorithm: SigningAlgorithm; signsFrom: Date }>;

/**
 * Publishes a successor of the signing key of each algorithm in use. The successors sign tokens after one day, when
 * the cached JWK Sets of clients contain them. If an algorithm already has a published successor, no second
 * successor is created.
 * @returns the successors. The first successor is the RS256 key.
 */
export async function rotateKeys(deps: Deps): Promise<readonly RotatedKey[]> {
  await publishFirstKey(deps, "RS256");
  const used = await algorithmsInUse(deps);
  return Promise.all(
    used.map(async (algorithm) => {
      const successor = await publishSuccessor(deps, algorithm, signsFromOfNewKey);
      if (successor === null) throw new Error("The successor of the signing key was not stored.");
      return { ...successor, algorithm };
    }),
  );
}

/**
 * Replaces the signing keys of all algorithms in use immediately. The old keys stay published until the tokens that
 * they signed, and the JWK Sets in the caches of clients, have expired (OpenID Connect Core §10.1.1). A client
 * with a cached JWK Set may refuse the tokens of the new keys until the client reads the JWK Set again.
 * @returns the new keys. The first key is the RS256 key.
 */
export async function replaceKeys(deps: Deps): Promise<readonly RotatedKey[]> {
  const rows = await newRows(deps);
  return deps.transaction(async (within) => {
    await lockInstance(within);
    for (const { algorithm } of rows) await store.retireAll(within.db, algorithm, within.clock());
    return insertRows(within, rows);
  });
}

/**
 * Replaces the signing keys of all algorithms in use immediately, and deletes all old keys, including retired keys.
 * Tokens that the old keys signed can no longer be verified, so a leaked key is useless for clients that have read
 * the JWK Set again.
 * @returns the new keys, and the ids of the deleted keys. The first new key is the RS256 key.
 */
export async function withdrawKeys(
  deps: Deps,
): Promise<Readonly<{ keys: readonly RotatedKey[]; withdrawn: readonly string[] }>> {
  const rows = await newRows(deps);
  return deps.transaction(async (within) => {
    await lockInstance(within);
    const withdrawn = await store.removeAll(within.db);
    for (const kid of withdrawn) await audit.record(within, "keys.withdrawn", { kid }, {});
    return { keys: await insertRows(within, rows), withdrawn };
  });
}

type NewRow = store.SigningKeyRow & Readonly<{ algorithm: SigningAlgorithm }>;

/** Generates a key for each algorithm in use. */
const newRows = async (deps: Deps): Promise<readonly NewRow[]> =>
  Promise.all(
    (await algorithmsInUse(deps)).map(async (algorithm) => ({
      ...rowOf(deps, await newKeyPair(algorithm)),
      algorithm,
    })),
  );

/** Inserts keys that sign immediately. */
async function insertRows(within: Deps, rows: readonly NewRow[]): Promise<readonly RotatedKey[]> {
  const now = within.clock();
  for (const row of rows) {
    await store.insert(within.db, { ...row, createdAt: now, signsFrom: null });
    await audit.record(within, "keys.rotated", { kid: row.kid }, {});
  }
  return rows.map(({ kid, algorithm }) => ({ kid, algorithm, signsFrom: now }));
}

/**
 * Publishes the successor of the signing key of an algorithm, unless the algorithm already has a published
 * successor.
 * @param signsFromAt returns the time from which the successor signs; null if the key needs no successor now.
 * @returns the published successor; null if the key needs no successor.
 */
async function publishSuccessor(
  deps: Deps,
  algorithm: SigningAlgorithm,
  signsFromAt: (now: Date) => Date | null,
): Promise<Readonly<{ kid: string; signsFrom: Date }> | null> {
  if (signsFromAt(deps.clock()) === null) return null;
  const existing = await store.findSuccessor(deps.db, algorithm, deps.clock());
  if (existing !== null) return existing;
  const row = rowOf(deps, await newKeyPair(algorithm));
  return deps.transaction(async (within) => {
    await lockInstance(within);
    const now = within.clock();
    const signsFrom = signsFromAt(now);
    const current = await store.findSuccessor(within.db, algorithm, now);
    if (current !== null || signsFrom === null) return current;
    await store.insert(within.db, { ...row, createdAt: now, signsFrom });
    await audit.record(within, "keys.rotated", { kid: row.kid }, {});
    return { kid: row.kid, signsFrom };
  });
}

/**
 * Replaces the keys whose age has reached the setting `signing_key_rotation_days`. A successor is published
 * one day before it signs. When the successor of a signing key begins to sign, the predecessor is retired.
 * Several processes may call this function simultaneously.
 */
export async function rotateOldKeys(deps: Deps): Promise<void> {
  const { signing_key_rotation_days: everyDays } = await readSettings(deps);
  for (const algorithm of await algorithmsInUse(deps)) {
    const current = await store.newest(deps.db, algorithm, deps.clock());
    if (current === null) continue;
    if (current.signsFrom !== null) await store.retireBefore(deps.db, algorithm, deps.clock(), current);
    await publishSuccessor(deps, algorithm, (now) => successorSignsFrom(current, everyDays, now));
  }
}

/** A signing key and its state. A `next` key is published and does not sign yet. */
export type ShownKey = store.ListedKey & Readonly<{ state: "next" | "signing" | "retired" }>;

/** Returns all stored signing keys, newest first. */
export async function listKeys(deps: Deps): Promise<readonly ShownKey[]> {
  const now = deps.clock();
  const signing = new Set<string>();
  return (await store.list(deps.db)).map((key) => {
    if (key.retiredAt !== null) return { ...key, state: "retired" };
    if (!isSigning(key, now)) return { ...key, state: "next" };
    // A key that is older than the current key does not sign, even if the scheduled job has not yet retired
    // it.
    const isNewest = !signing.has(key.algorithm);
    signing.add(key.algorithm);
    return { ...key, state: isNewest ? "signing" : "retired" };
  });
}

/**
 * Returns the public keys that verify tokens of this instance. The RS256 keys are first in the list. The key
 * that signs is the first key of its algorithm. The retired keys follow, newest first, and then the key that
 * does not sign yet. The result is the same array object until the keys change. The function
 * runs one prepared query, and reads the settings if a retired key is stored.
 */
export async function publishedKeys(deps: Deps): Promise<readonly PublicJwk[]> {
  let rows = await listPublicKeys(deps.prepared);
  if (!rows.some((row) => isCurrent(row) && row.algorithm === "RS256")) {
    await publishFirstKey(deps, "RS256");
    rows = await listPublicKeys(deps.prepared);
  }
  const since = rows.every(isCurrent) ? null : await sinceNow(deps);
  const published = rows.filter(({ retiredAt }) => retiredAt === null || since === null || retiredAt > since);
  // Some clients use the first key of the list, so the list begins with the RS256 key that signs.
  const now = deps.clock();
  const texts = [true, false].flatMap((isRsa) => {
    const keys = published.filter(({ algorithm }) => (algorithm === "RS256") === isRsa);
    const next = keys.filter((key) => isCurrent(key) && !isSigning(key, now));
    return [...keys.filter((key) => !next.includes(key)), ...next].map((row) => row.publicJwk);
  });
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
 * Returns the user and the client of an ID token that is sent as a hint. A published key must verify the
 * signature, and the issuer must be this instance. The ID token may have expired (OpenID Connect RP-Initiated
 * Logout §4).
 * @returns null for every other token, including a token that is signed with another algorithm.
 */
export async function readIdToken(deps: Deps, token: string): Promise<IdTokenSubject | null> {
  const keys = createLocalJWKSet({ keys: [...(await publishedKeys(deps))] });
  const verified = await compactVerify(token, keys, { algorithms: [...SIGNING_ALGORITHMS] }).catch(
    () => null,
  );
  // Access tokens and logout tokens are signed with the same keys, so the type of the token must be checked.
  if (verified !== null && verified.protectedHeader.typ !== "JWT") return null;
  const claims = idTokenClaims.safeParse(verified && JSON.parse(Buffer.from(verified.payload).toString()));
  return claims.success && claims.data.iss === deps.config.issuer
    ? { userId: Number(claims.data.sub), clientUid: claims.data.aud }
    : null;
}

/** The encrypted private keys that sign ID tokens, JWT access tokens and logout tokens. */
export const sealedSigningKeys: SealedColumn = {
  column: "SigningKey.sealedPrivate",
  list: store.listSealed,
  purpose: purposeOf,
  replace: store.replaceSealed,
};
