import { nullable, text, time } from "@/kernel/db/column-types";
import type { Eventually, Prepared, Reads } from "@/kernel/db/prepared";
import { type RowOf, statement } from "@/kernel/db/statement";
import { isSigning, type SigningAlgorithm } from "./rules";

const COLUMNS = {
  publicJwk: [`"publicJwk"`, text],
  algorithm: [`"algorithm"`, text],
  createdAt: [`"createdAt"`, time],
  signsFrom: [`"signsFrom"`, nullable(time)],
  retiredAt: [`"retiredAt"`, nullable(time)],
} as const;

/** The public part of a signing key as JSON, its algorithm, and the times between which the key signs. */
export type PublicKeyRow = RowOf<typeof COLUMNS>;

const PUBLIC_KEYS = statement({
  name: "public_keys",
  isCached: true,
  parameters: {},
  columns: COLUMNS,
  sql: (columns) => `SELECT ${columns} FROM "SigningKey" ORDER BY "id" DESC`,
});

/** Returns the public parts of all stored signing keys, newest first. */
export const listPublicKeys = (prepared: Prepared): Eventually<readonly PublicKeyRow[]> =>
  prepared.all(PUBLIC_KEYS, {});

const PRIVATE_COLUMNS = {
  kid: [`"kid"`, text],
  algorithm: [`"algorithm"`, text],
  sealedPrivate: [`"sealedPrivate"`, text],
  createdAt: [`"createdAt"`, time],
  signsFrom: [`"signsFrom"`, nullable(time)],
} as const;

/** The statement does not depend on the time, so that the result of the statement can be cached. */
const PRIVATE_KEYS = statement({
  name: "private_keys",
  isCached: true,
  parameters: {},
  columns: PRIVATE_COLUMNS,
  sql: (columns) => `SELECT ${columns} FROM "SigningKey" WHERE "retiredAt" IS NULL ORDER BY "id" DESC`,
});

/**
 * Returns the current signing key of an algorithm, like `newest` in `store.ts`, but with a prepared statement
 * instead of Prisma; null when the algorithm has no key. If the clock of this process is behind the clock of the
 * process that has retired the predecessor, the successor signs before its start time.
 */
export async function findSigningKey(
  reads: Reads,
  algorithm: SigningAlgorithm,
  now: Date,
): Promise<Pick<RowOf<typeof PRIVATE_COLUMNS>, "kid" | "sealedPrivate"> | null> {
  const keys = (await reads.all(PRIVATE_KEYS, {})).filter((key) => key.algorithm === algorithm);
  return keys.find((key) => isSigning(key, now)) ?? keys.at(-1) ?? null;
}
