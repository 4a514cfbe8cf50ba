import type { TokenDigest } from "@/kernel/crypto/token";
import type { Db } from "@/kernel/db/db";

/** The stored registration of a dynamically registered client (RFC 7591). */
export type StoredRegistration = Readonly<{
  applicationId: number;
  clientName: string | null;
  applicationType: string;
  application: Readonly<{
    uid: string;
    name: string;
    redirectUris: string;
    scopes: string;
    backchannelLogoutUri: string | null;
    backchannelLogoutSessionRequired: boolean;
    createdAt: Date;
    blockedAt: Date | null;
  }>;
}>;

type Values = Readonly<{ clientName: string | null; applicationType: string }>;

export async function insertRegistration(
  db: Db,
  registration: Values & Readonly<{ applicationId: number; tokenDigest: TokenDigest }>,
): Promise<void> {
  await db.dynamicClient.create({ data: registration, select: { applicationId: true } });
}

export async function updateRegistration(db: Db, applicationId: number, values: Values): Promise<void> {
  await db.dynamicClient.update({
    where: { applicationId },
    data: values,
    select: { applicationId: true },
  });
}

/**
 * Returns the registration with this registration access token; null for an unknown registration access
 * token.
 */
export const findByToken = (db: Db, tokenDigest: TokenDigest): Promise<StoredRegistration | null> =>
  db.dynamicClient.findUnique({
    where: { tokenDigest },
    select: {
      applicationId: true,
      clientName: true,
      applicationType: true,
      application: {
        select: {
          ...{ uid: true, name: true, redirectUris: true, scopes: true, createdAt: true, blockedAt: true },
          ...{ backchannelLogoutUri: true, backchannelLogoutSessionRequired: true },
        },
      },
    },
  });
