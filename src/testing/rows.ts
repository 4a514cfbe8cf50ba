import type { Db } from "@/kernel/db/db.ts";

const AT = new Date("2026-11-21T11:00:00.000Z");

/**
 * Inserts a user, for tests of the database itself. The function is asynchronous, so that the query starts
 * before the caller awaits the result.
 */
export const insertUser = async (db: Db, username: string) =>
  db.user.create({
    data: {
      username,
      usernameLower: username.toLowerCase(),
      email: `${username}@example.com`,
      emailLower: `${username.toLowerCase()}@example.com`,
      emailVerified: true,
      name: username,
      passwordDigest: "",
      admin: false,
      state: "active",
      createdAt: AT,
    },
  });

/** Inserts an application of `ownerId`. */
export const insertApplication = async (db: Db, ownerId: number, uid: string) =>
  db.application.create({
    data: {
      uid,
      name: uid,
      redirectUris: "https://client.example.com/callback",
      scopes: "read_user",
      confidential: true,
      trusted: false,
      requiresPkce: false,
      allowsPassword: true,
      ownerId,
      createdAt: AT,
      updatedAt: AT,
    },
  });
