import { nullable, text, time } from "@/kernel/db/column-types";
import type { Eventually, Prepared } from "@/kernel/db/prepared";
import { type RowOf, statement } from "@/kernel/db/statement";

const COLUMNS = {
  publicJwk: [`"publicJwk"`, text],
  algorithm: [`"algorithm"`, text],
  retiredAt: [`"retiredAt"`, nullable(time)],
} as const;

/** The public part of a signing key as JSON, its algorithm, and the time at which the key was retired. */
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
