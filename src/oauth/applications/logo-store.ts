import type { Db } from "@/kernel/db/db";

export type Logo = Readonly<{ png: Uint8Array<ArrayBuffer>; digest: string; createdAt: Date }>;

export async function putLogo(db: Db, applicationId: number, logo: Logo): Promise<void> {
  await db.applicationLogo.upsert({
    where: { applicationId },
    create: { ...logo, applicationId },
    update: logo,
    select: { applicationId: true },
  });
}

/**
 * Deletes the logo of an application.
 * @returns false when the application has no logo.
 */
export async function removeLogo(db: Db, applicationId: number): Promise<boolean> {
  return (await db.applicationLogo.deleteMany({ where: { applicationId } })).count === 1;
}

/** Returns the logo with this digest; null when the application has another logo. */
export async function findLogo(
  db: Db,
  applicationId: number,
  digest: string,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const select = { png: true } as const;
  return (await db.applicationLogo.findFirst({ where: { applicationId, digest }, select }))?.png ?? null;
}

export async function findLogoDigest(db: Db, applicationId: number): Promise<string | null> {
  const select = { digest: true } as const;
  return (await db.applicationLogo.findUnique({ where: { applicationId }, select }))?.digest ?? null;
}
