import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openTestDatabase } from "@/testing/database.ts";
import { insertApplication, insertUser } from "@/testing/rows.ts";
import { findClient } from "./store.sql.ts";

// The databases must not interpret stored times in the time zone of the machine.
beforeAll(() => void vi.stubEnv("TZ", "America/New_York"));
afterAll(() => void vi.unstubAllEnvs());

const { db, prepared } = await openTestDatabase();
const user = await insertUser(db, "ann");

const findRow = (uid: string) => findClient(prepared, uid, (row) => row);

describe("the query of a client", () => {
  const asRow = { name: "secrets", redirectUris: "https://client.example.com/callback", scopes: "read_user" };

  it("findClient returns null for an unknown client_id", async () => {
    expect(await findRow("unknown")).toBeNull();
  });

  it("findClient returns an application with each of its secrets and the time stamps of the secrets", async () => {
    const { id } = await insertApplication(db, user.id, "secrets");
    const lastUsedAt = new Date("2026-11-21T10:30:00.456Z");
    const blockedAt = new Date("2026-11-21T10:31:00.789Z");
    expect(await findRow("secrets")).toMatchObject({
      application: { ...asRow, id, lastUsedAt: null },
      secrets: [],
    });
    await db.application.update({ where: { id }, data: { lastUsedAt, blockedAt } });
    const secret = { applicationId: id, createdAt: new Date("2026-11-21T11:00:00.123Z") };
    const first = await db.applicationSecret.create({ data: { ...secret, digest: "one" } });
    const second = await db.applicationSecret.create({
      data: { ...secret, digest: "two", sealed: null, lastUsedAt },
    });
    const row = await findRow("secrets");
    expect(row).toMatchObject({
      application: { lastUsedAt, blockedAt },
    });
    expect(row?.secrets.toSorted((a, b) => a.id - b.id)).toEqual([
      { id: first.id, digest: "one", sealed: null, lastUsedAt: null },
      { id: second.id, digest: "two", sealed: null, lastUsedAt },
    ]);
  });
});
