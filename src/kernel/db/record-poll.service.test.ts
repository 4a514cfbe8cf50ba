import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { openTestDatabase } from "@/testing/database.ts";
import { insertApplication, insertUser } from "@/testing/rows.ts";

// Neither database may write its times in the zone of the machine.
beforeAll(() => void vi.stubEnv("TZ", "America/New_York"));
afterAll(() => void vi.unstubAllEnvs());

const { db, hot } = await openTestDatabase();
const user = await insertUser(db, "ann");
const application = await insertApplication(db, user.id, "client");

const never = { intervalSeconds: 5, lastPolledAt: null };
const once = { intervalSeconds: 5, lastPolledAt: new Date("2026-11-21T12:00:05.789Z") };
let id = 0;

beforeEach(async () => {
  await db.deviceAuthorization.deleteMany();
  const data = {
    ...never,
    applicationId: application.id,
    scopes: "read_user",
    expiresAt: new Date("2026-11-21T12:05:00Z"),
    userCodeDigest: "u",
    address: "::1",
    userAgent: "x",
    createdAt: new Date(0),
    deviceDigest: "d",
    status: "waiting",
  };
  ({ id } = await db.deviceAuthorization.create({ data }));
});

const clock = () =>
  db.deviceAuthorization.findFirst({ select: { intervalSeconds: true, lastPolledAt: true } });

it("records a poll, and the next one on top of it [DT-02]", async () => {
  expect(await hot.recordPoll({ id, before: never, after: once })).toBe(true);
  expect(await clock()).toEqual(once);
  const slower = { ...once, intervalSeconds: 10 };
  expect(await hot.recordPoll({ id, before: once, after: slower })).toBe(true);
  expect(await clock()).toEqual(slower);
});

it("records exactly one of several polls that arrive together", async () => {
  const all = await Promise.all(
    Array.from({ length: 10 }, () => hot.recordPoll({ id, before: never, after: once })),
  );
  expect(all.filter(Boolean)).toHaveLength(1);
});

it.each(["approved", "denied", "redeemed"])("records nothing once the request is %s", async (status) => {
  await db.deviceAuthorization.update({ where: { id }, data: { status } });
  expect(await hot.recordPoll({ id, before: never, after: once })).toBe(false);
  expect(await clock()).toEqual(never);
});
