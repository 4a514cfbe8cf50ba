import type { SecretKeys } from "@/kernel/crypto/keys";
import type { Db } from "@/kernel/db/db";
import { acceptedKeys, digestOf, signEnds } from "./entry-digest";
import * as store from "./store";

type AuditKeys = Pick<SecretKeys, "audit" | "previousAudits">;

/**
 * Returns whether the ends of the hash chain are authentic, which means that Gatehouse stored them. Ends
 * without a signature are authentic only if no event has been added to the hash chain yet.
 */
export async function areAuthentic(db: Db, keys: AuditKeys, ends: store.SignedEnds): Promise<boolean> {
  if (acceptedKeys(keys, null).some((key) => ends.signature === signEnds(key, ends).signature)) return true;
  const isEmpty = ends.signature === "" && ends.anchorDigest === "" && ends.headDigest === "";
  return isEmpty && !(await store.hasChained(db));
}

/** The ends of the locked chain, and whether they are authentic. */
export type LockedEnds = Readonly<{ ends: store.SignedEnds; isAuthentic: boolean }>;

/** Locks the hash chain during the transaction, and returns both ends of the hash chain. */
export async function lockEnds(db: Db, keys: AuditKeys): Promise<LockedEnds> {
  const ends = await store.lockChain(db);
  return { ends, isAuthentic: await areAuthentic(db, keys, ends) };
}

/**
 * Stores new ends of the locked chain. If another program has changed the previous ends of the hash chain,
 * the signature of the new ends is invalid too, so that each later verification finds the change.
 */
export async function moveEnds(
  db: Db,
  keys: AuditKeys,
  { ends, isAuthentic }: LockedEnds,
  moved: Partial<store.Ends>,
): Promise<void> {
  const next = { ...ends, ...moved };
  await store.setEnds(db, isAuthentic ? signEnds(keys, next) : next);
}

/** Returns whether the stored digest of an event matches its content. */
export const isAuthenticEvent = (keys: AuditKeys, event: store.StoredEvent): boolean => {
  const { id, digest, previousDigest } = event;
  if (digest === null || previousDigest === null) return false;
  return acceptedKeys(keys, id).some((key) => digestOf(key, previousDigest, event) === digest);
};
