import { isScope } from "@/access/scopes";
import type { TokenDigest } from "@/platform/crypto/token";
import type { ClientRow, Db } from "@/platform/db/db";
import type { Application, ApplicationInput } from "./rules";

const columns = {
  id: true,
  uid: true,
  name: true,
  redirectUris: true,
  scopes: true,
  confidential: true,
  trusted: true,
  requiresPkce: true,
  allowsPassword: true,
  createdAt: true,
  owner: { select: { id: true, username: true, name: true } },
} as const;

type Row = Omit<Application, "redirectUris" | "scopes"> & Readonly<{ redirectUris: string; scopes: string }>;

const applicationFrom = (row: Row): Application => ({
  ...row,
  redirectUris: row.redirectUris.split("\n"),
  scopes: row.scopes.split(" ").filter(isScope),
});

const columnsOf = (input: ApplicationInput) => ({
  name: input.name,
  redirectUris: input.redirectUris.join("\n"),
  scopes: input.scopes.join(" "),
  confidential: input.confidential,
  requiresPkce: input.requiresPkce,
  allowsPassword: input.allowsPassword,
});

export async function listOwnedBy(db: Db, ownerId: number): Promise<readonly Application[]> {
  const rows = await db.application.findMany({
    where: { ownerId },
    select: columns,
    orderBy: { id: "desc" },
  });
  return rows.map(applicationFrom);
}

export async function list(db: Db): Promise<readonly Application[]> {
  return (await db.application.findMany({ select: columns, orderBy: { id: "asc" } })).map(applicationFrom);
}

/** Null for an application of somebody else, the same as for one that does not exist. */
export async function findOwnedBy(db: Db, ownerId: number, id: number): Promise<Application | null> {
  const row = await db.application.findFirst({ where: { id, ownerId }, select: columns });
  return row && applicationFrom(row);
}

export async function findByUid(db: Db, uid: string): Promise<Application | null> {
  const row = await db.application.findUnique({ where: { uid }, select: columns });
  return row && applicationFrom(row);
}

/** An application with the digests of its live secrets, from the prepared look-up of client authentication. */
export const clientFrom = ({ secretDigests, ...row }: ClientRow) => ({
  application: applicationFrom(row),
  secretDigests,
});

export type NewApplication = ApplicationInput &
  Readonly<{ uid: string; trusted: boolean; ownerId: number; secretDigest: TokenDigest | null; now: Date }>;

export async function insert(db: Db, application: NewApplication): Promise<Application> {
  const { uid, trusted, ownerId, secretDigest, now } = application;
  const row = await db.application.create({
    data: {
      ...columnsOf(application),
      uid,
      trusted,
      ownerId,
      createdAt: now,
      updatedAt: now,
      secrets: { create: secretDigest === null ? [] : [{ digest: secretDigest, createdAt: now }] },
    },
    select: columns,
  });
  return applicationFrom(row);
}

export async function update(db: Db, id: number, input: ApplicationInput, now: Date): Promise<void> {
  await db.application.update({ where: { id }, data: { ...columnsOf(input), updatedAt: now } });
}

/** The new secret is the only one from now on. */
export async function replaceSecrets(db: Db, id: number, digest: TokenDigest, now: Date): Promise<void> {
  await db.applicationSecret.deleteMany({ where: { applicationId: id } });
  await db.applicationSecret.create({ data: { applicationId: id, digest, createdAt: now } });
}

export async function removeSecrets(db: Db, id: number): Promise<void> {
  await db.applicationSecret.deleteMany({ where: { applicationId: id } });
}

/** Its codes, tokens and consents go with it. */
export async function remove(db: Db, id: number): Promise<void> {
  await db.application.deleteMany({ where: { id } });
}
