import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openTestDatabase } from "@/testing/database.ts";
import { insertApplication, insertUser } from "@/testing/rows.ts";
import { openDatabase } from "./open.ts";

// Neither database may read its times in the zone of the machine.
beforeAll(() => void vi.stubEnv("TZ", "America/New_York"));
afterAll(() => void vi.unstubAllEnvs());

const { config, db, hot } = await openTestDatabase();
const user = await insertUser(db, "bearer");
const application = await insertApplication(db, user.id, "client");

const times = {
  createdAt: new Date("2026-11-21T11:00:00.123Z"),
  expiresAt: new Date("2026-11-21T13:00:00.456Z"),
};
const token = { accessDigest: "a", userId: user.id, scopes: "read_user profile", ...times };

describe("the look-up of a bearer token", () => {
  it("finds nothing for an unknown digest", async () => {
    expect(await hot.bearer("unknown")).toBeNull();
  });

  it("gives the token with its application and its person", async () => {
    const { id } = await db.oauthToken.create({ data: { ...token, applicationId: application.id } });
    expect(await hot.bearer("a")).toEqual({
      tokenId: id,
      scopes: "read_user profile",
      ...times,
      revokedAt: null,
      applicationId: application.id,
      applicationUid: "client",
      user: {
        id: user.id,
        username: "bearer",
        name: "bearer",
        email: "bearer@example.com",
        emailVerified: true,
        admin: false,
        state: "active",
        createdAt: new Date("2026-11-21T11:00:00.000Z"),
      },
    });
  });

  it("gives a token that has no application and never expires", async () => {
    await db.oauthToken.create({ data: { ...token, accessDigest: "b", expiresAt: null } });
    expect(await hot.bearer("b")).toMatchObject({
      expiresAt: null,
      applicationId: null,
      applicationUid: null,
    });
  });

  it("sees at once what another process commits", async () => {
    const other = await openDatabase(config);
    await other.db.oauthToken.create({ data: { ...token, accessDigest: "c" } });
    expect(await hot.bearer("c")).toMatchObject({ revokedAt: null });
    const revokedAt = new Date("2026-11-21T12:00:00.000Z");
    await other.db.oauthToken.update({ where: { accessDigest: "c" }, data: { revokedAt } });
    expect(await hot.bearer("c")).toMatchObject({ revokedAt });
    await other.close();
  });
});
