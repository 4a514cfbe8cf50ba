import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { openTestDatabase } from "@/testing/database.ts";
import { insertApplication, insertUser } from "@/testing/rows.ts";

// Neither database may read its times in the zone of the machine.
beforeAll(() => void vi.stubEnv("TZ", "America/New_York"));
afterAll(() => void vi.unstubAllEnvs());

const { db, hot } = await openTestDatabase();
const user = await insertUser(db, "ann");
const application = await insertApplication(db, user.id, "client");

it("gives a device authorization request as a poll needs it", async () => {
  const shown = {
    applicationId: application.id,
    scopes: "read_user openid",
    expiresAt: new Date("2026-11-21T12:05:00.456Z"),
    intervalSeconds: 5,
  };
  const hidden = { userCodeDigest: "u", address: "::1", userAgent: "x", createdAt: new Date(0) };
  const data = { ...shown, ...hidden, deviceDigest: "d", status: "waiting" };
  const { id } = await db.deviceAuthorization.create({ data });
  const waiting = { ...shown, id, status: "waiting", userId: null, authTime: null, lastPolledAt: null };
  expect(await hot.device("d")).toEqual(waiting);
  const change = {
    status: "approved",
    userId: user.id,
    authTime: new Date("2026-11-21T11:30:00.321Z"),
    lastPolledAt: new Date("2026-11-21T12:00:05.789Z"),
  };
  await db.deviceAuthorization.update({ where: { id }, data: change });
  expect(await hot.device("d")).toEqual({ ...waiting, ...change });
  expect(await hot.device("unknown")).toBeNull();
});
