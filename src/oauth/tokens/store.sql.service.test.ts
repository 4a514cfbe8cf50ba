import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { digest } from "@/kernel/crypto/token.ts";
import { openDatabase } from "@/kernel/db/open.ts";
import { openTestDatabase } from "@/testing/database.ts";
import { insertApplication, insertUser } from "@/testing/rows.ts";
import {
  findByAccessDigest,
  findByRefreshDigest,
  type Rotation,
  rotate,
  usageOf,
  userCounts,
} from "./store.sql.ts";

// The databases must not interpret stored times in the time zone of the machine.
beforeAll(() => void vi.stubEnv("TZ", "America/New_York"));
afterAll(() => void vi.unstubAllEnvs());

const database = await openTestDatabase();
const { config, db, prepared } = database;
const user = await insertUser(db, "bearer");
const application = await insertApplication(db, user.id, "client");

const times = {
  createdAt: new Date("2026-11-21T11:00:00.123Z"),
  expiresAt: new Date("2026-11-21T13:00:00.456Z"),
};
const family = await db.tokenFamily.create({
  data: {
    applicationId: application.id,
    userId: user.id,
    grantType: "authorization_code",
    scopes: "read_user profile",
    redirectUri: "https://client.example.com/callback",
    codeChallenge: "challenge",
    authTime: new Date("2026-11-21T10:59:00.789Z"),
    ...{ acr: "phr", amr: "pop user mfa" },
    createdAt: times.createdAt,
    rotations: 0,
  },
});
const token = {
  familyId: family.id,
  accessDigest: digest("a"),
  userId: user.id,
  scopes: "read_user profile",
  ...times,
};

describe("the query of an access token", () => {
  it("findByAccessDigest returns null for an unknown digest", async () => {
    expect(await findByAccessDigest(prepared, digest("unknown"))).toBeNull();
  });

  it("findByAccessDigest returns an access token with its application and its user", async () => {
    const { id } = await db.oauthToken.create({ data: { ...token, applicationId: application.id } });
    expect(await findByAccessDigest(prepared, digest("a"))).toEqual({
      tokenId: id,
      familyId: family.id,
      scopes: "read_user profile",
      ...times,
      revokedAt: null,
      applicationId: application.id,
      applicationUid: "client",
      dpopJkt: null,
      lastUsedAt: null,
      resource: null,
      authTime: new Date("2026-11-21T10:59:00.789Z"),
      acr: "phr",
      applicationBlocked: false,
      unregistered: false,
      user: {
        id: user.id,
        username: "bearer",
        name: "bearer",
        email: "bearer@example.com",
        emailVerified: true,
        admin: false,
        kind: "human",
        avatarDigest: null,
        state: "active",
        createdAt: new Date("2026-11-21T11:00:00.000Z"),
        twoFactor: false,
        privateProfile: false,
      },
    });
  });

  it("findByAccessDigest returns an access token that has no application and never expires", async () => {
    await db.oauthToken.create({ data: { ...token, accessDigest: digest("b"), expiresAt: null } });
    expect(await findByAccessDigest(prepared, digest("b"))).toMatchObject({
      expiresAt: null,
      applicationId: null,
      applicationUid: null,
      applicationBlocked: false,
      unregistered: false,
    });
  });

  it("findByAccessDigest and findByRefreshDigest report that the client of a token has no owner", async () => {
    const client = await insertApplication(db, user.id, "unregistered");
    await db.application.update({ where: { id: client.id }, data: { ownerId: null } });
    const row = { ...token, accessDigest: digest("agent"), refreshDigest: digest("agentr") };
    await db.oauthToken.create({ data: { ...row, applicationId: client.id } });
    expect(await findByAccessDigest(prepared, digest("agent"))).toMatchObject({ unregistered: true });
    expect(await findByRefreshDigest(prepared, digest("agentr"))).toMatchObject({ unregistered: true });
  });

  it("findByAccessDigest and findByRefreshDigest report that the application of a token is blocked", async () => {
    const blocked = await insertApplication(db, user.id, "blocked");
    await db.application.update({ where: { id: blocked.id }, data: { blockedAt: times.createdAt } });
    const row = { ...token, accessDigest: digest("blocked"), refreshDigest: digest("blockedr") };
    await db.oauthToken.create({ data: { ...row, applicationId: blocked.id } });
    expect(await findByAccessDigest(prepared, digest("blocked"))).toMatchObject({ applicationBlocked: true });
    expect(await findByRefreshDigest(prepared, digest("blockedr"))).toMatchObject({
      applicationBlocked: true,
    });
  });

  it("findByAccessDigest immediately finds a token that another process has inserted or revoked", async () => {
    const other = await openDatabase(config);
    await other.db.oauthToken.create({ data: { ...token, accessDigest: digest("c") } });
    expect(await findByAccessDigest(prepared, digest("c"))).toMatchObject({ revokedAt: null });
    const revokedAt = new Date("2026-11-21T12:00:00.000Z");
    await other.db.oauthToken.update({ where: { accessDigest: digest("c") }, data: { revokedAt } });
    expect(await findByAccessDigest(prepared, digest("c"))).toMatchObject({ revokedAt });
    await other.close();
  });
});

describe("the query of a refresh token", () => {
  const refreshExpiresAt = new Date("2026-12-21T11:00:00.321Z");

  it("findByRefreshDigest returns null for an unknown digest, and for the digest of an access token", async () => {
    expect(await findByRefreshDigest(prepared, digest("unknown"))).toBeNull();
    expect(await findByRefreshDigest(prepared, digest("a"))).toBeNull();
  });

  it("findByRefreshDigest returns a refresh token with its family", async () => {
    const { id } = await db.oauthToken.create({
      data: {
        ...token,
        accessDigest: digest("d"),
        refreshDigest: digest("dr"),
        applicationId: application.id,
        scopes: "read_user",
        refreshExpiresAt,
      },
    });
    expect(await findByRefreshDigest(prepared, digest("dr"))).toEqual({
      tokenId: id,
      createdAt: times.createdAt,
      refreshExpiresAt,
      revokedAt: null,
      rotatedAt: null,
      sealedAnswer: null,
      applicationId: application.id,
      applicationUid: "client",
      dpopJkt: null,
      applicationBlocked: false,
      unregistered: false,
      user: { id: user.id, username: "bearer", state: "active" },
      family: {
        id: family.id,
        scopes: "read_user profile",
        redirectUri: "https://client.example.com/callback",
        codeChallenge: "challenge",
        resource: null,
        authTime: new Date("2026-11-21T10:59:00.789Z"),
        ...{ acr: "phr", amr: "pop user mfa" },
        sid: null,
        createdAt: times.createdAt,
        revokedAt: null,
      },
    });
  });
});

describe("the rotation of a refresh token", () => {
  const now = new Date("2026-11-21T12:30:00.007Z");

  async function rotationOf(name: string): Promise<Rotation> {
    const { id: familyId } = await db.tokenFamily.create({
      data: {
        userId: user.id,
        grantType: "device_code",
        scopes: "read_user",
        createdAt: times.createdAt,
        rotations: 0,
      },
    });
    const row = { ...token, familyId, accessDigest: digest(name), refreshDigest: digest(`${name}r`) };
    const { id: tokenId } = await db.oauthToken.create({ data: row });
    return {
      tokenId,
      familyId,
      now,
      sealedAnswer: "sealed",
      successor: {
        familyId,
        createdAt: now,
        accessDigest: digest(`${name}2`),
        refreshDigest: digest(`${name}2r`),
        applicationId: null,
        userId: user.id,
        scopes: "read_user",
        expiresAt: times.expiresAt,
        refreshExpiresAt: new Date("2026-12-20T10:00:00.123Z"),
        endsAt: new Date("2026-12-21T10:00:00.456Z"),
        dpopJkt: null,
      },
    };
  }

  it("a rotation writes rows that Prisma can read: the used token, its successor and the count of rotations", async () => {
    const rotation = await rotationOf("e");
    expect(await rotate(prepared, rotation)).toBe(true);
    const where = { familyId: rotation.familyId };
    expect(await db.oauthToken.findMany({ where, orderBy: { id: "asc" } })).toMatchObject([
      { accessDigest: digest("e"), revokedAt: now, rotatedAt: now, sealedAnswer: "sealed" },
      { ...rotation.successor, revokedAt: null, rotatedAt: null, sealedAnswer: null },
    ]);
    // The stored times must have the format of the times that Prisma writes, because SQLite stores and
    // compares times as text.
    const expired = { expiresAt: { lte: times.expiresAt }, createdAt: { gte: now } };
    expect(await db.oauthToken.count({ where: { ...where, ...expired } })).toBe(1);
    expect(await db.tokenFamily.findUnique({ where: { id: rotation.familyId } })).toMatchObject({
      rotations: 1,
    });
  });

  it("only one of several simultaneous requests can rotate a token, and the count of rotations increases by one", async () => {
    const rotation = await rotationOf("f");
    const rotations = Array.from({ length: 20 }, (_, index) =>
      rotate(prepared, {
        ...rotation,
        successor: {
          ...rotation.successor,
          accessDigest: digest(`f${index}`),
          refreshDigest: digest(`fr${index}`),
        },
      }),
    );
    expect((await Promise.all(rotations)).filter((rotated) => rotated)).toHaveLength(1);
    const where = { familyId: rotation.familyId };
    expect(await db.oauthToken.count({ where })).toBe(2);
    expect(await db.tokenFamily.findFirst({ where: { id: rotation.familyId } })).toMatchObject({
      rotations: 1,
    });
  });

  it("the rotation of a token in a revoked family is refused and changes no row", async () => {
    const rotation = await rotationOf("g");
    const ended = { id: rotation.familyId };
    await db.tokenFamily.update({ where: ended, data: { revokedAt: now } });
    expect(await rotate(prepared, rotation)).toBe(false);
    expect(await db.oauthToken.findMany({ where: { familyId: rotation.familyId } })).toMatchObject([
      { revokedAt: null, rotatedAt: null },
    ]);
    expect(await db.tokenFamily.findUnique({ where: ended })).toMatchObject({ rotations: 0 });
  });

  it("a rotation waits for an open transaction, and is then committed even if the open transaction is rolled back", async () => {
    const rotation = await rotationOf("h");
    let rotating: Promise<boolean> | undefined;
    const undone = database.transaction(async (inside) => {
      await inside.tokenFamily.update({ where: { id: rotation.familyId }, data: { rotations: 7 } });
      rotating = rotate(prepared, rotation);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(await db.oauthToken.count({ where: { familyId: rotation.familyId } })).toBe(1);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await rotating).toBe(true);
    expect(await db.tokenFamily.findUnique({ where: { id: rotation.familyId } })).toMatchObject({
      rotations: 1,
    });
  });

  it("a token stays valid if its rotation fails because the successor cannot be stored", async () => {
    const rotation = await rotationOf("i");
    const taken = { ...rotation.successor, accessDigest: digest("i") };
    await expect(rotate(prepared, { ...rotation, successor: taken })).rejects.toThrow();
    expect(await findByRefreshDigest(prepared, digest("ir"))).toMatchObject({
      revokedAt: null,
      rotatedAt: null,
    });
    expect(await rotate(prepared, rotation)).toBe(true);
  });
});

describe("the usage of an application", () => {
  it("usageOf and userCounts count each user with several grants once, and no revoked grants", async () => {
    const used = await insertApplication(db, user.id, "used");
    const other = await insertUser(db, "other");
    const row = { applicationId: used.id, grantType: "password", scopes: "api", rotations: 0 };
    const createdAt = times.createdAt;
    await db.tokenFamily.createMany({
      data: [
        { ...row, userId: user.id, createdAt },
        { ...row, userId: user.id, createdAt },
        { ...row, userId: other.id, createdAt },
        { ...row, userId: application.ownerId ?? 0, createdAt, revokedAt: times.expiresAt },
        { ...row, userId: other.id, createdAt, grantType: "client_credentials" },
      ],
    });
    expect(await usageOf(prepared, used.id)).toEqual({ users: 2, grants: 3 });
    expect(await userCounts(prepared, [used.id, 999_999])).toEqual([{ id: used.id, users: 2 }]);
  });
});
