import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { digest } from "@/kernel/crypto/token.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDatabase } from "@/testing/database.ts";
import { insertApplication, insertUser } from "@/testing/rows.ts";
import { findByDeviceDigest, writePoll } from "./store.sql.ts";

// The databases must not store times in the time zone of the machine.
beforeAll(() => void vi.stubEnv("TZ", "America/New_York"));
afterAll(() => void vi.unstubAllEnvs());

const { db, prepared } = await openTestDatabase();
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
    deviceDigest: digest("d"),
    status: "waiting",
  };
  ({ id } = await db.deviceAuthorization.create({ data }));
});

const lastPoll = () =>
  db.deviceAuthorization.findFirst({ select: { intervalSeconds: true, lastPolledAt: true } });

it(
  conformance("DT-02", "a recorded poll updates the time of the last poll and the interval of its device"),
  async () => {
    for (const poll of [once, { ...once, intervalSeconds: 10 }]) {
      expect(await writePoll(prepared, { id, ...poll })).toBe(true);
      expect(await lastPoll()).toEqual(poll);
    }
  },
);

it("a recorded poll replaces neither a later poll nor a longer interval that another process has recorded", async () => {
  const later = { intervalSeconds: 10, lastPolledAt: new Date(once.lastPolledAt.getTime() + 1) };
  await writePoll(prepared, { id, ...later });
  await writePoll(prepared, { id, ...once });
  expect(await lastPoll()).toEqual(later);
});

it.each(["approved", "denied", "redeemed"])(
  "a poll of a device is not recorded after the device authorization request is %s",
  async (status) => {
    await db.deviceAuthorization.update({ where: { id }, data: { status } });
    expect(await writePoll(prepared, { id, ...once })).toBe(false);
    expect(await lastPoll()).toEqual(never);
  },
);

it("findByDeviceDigest returns all fields of a device authorization request that a poll needs", async () => {
  await db.deviceAuthorization.deleteMany();
  const shown = {
    applicationId: application.id,
    scopes: "read_user openid",
    expiresAt: new Date("2026-11-21T12:05:00.456Z"),
    intervalSeconds: 5,
  };
  const hidden = { userCodeDigest: "u", address: "::1", userAgent: "x", createdAt: new Date(0) };
  const data = { ...shown, ...hidden, deviceDigest: digest("d"), status: "waiting" };
  const { id } = await db.deviceAuthorization.create({ data });
  const undecided = { userId: null, authTime: null, acr: null, amr: null, lastPolledAt: null };
  const waiting = { ...shown, id, status: "waiting", ...undecided };
  expect(await findByDeviceDigest(prepared, digest("d"))).toEqual(waiting);
  const change = {
    status: "approved",
    userId: user.id,
    authTime: new Date("2026-11-21T11:30:00.321Z"),
    ...{ acr: "phr", amr: "pop user mfa" },
    lastPolledAt: new Date("2026-11-21T12:00:05.789Z"),
  };
  await db.deviceAuthorization.update({ where: { id }, data: change });
  expect(await findByDeviceDigest(prepared, digest("d"))).toEqual({ ...waiting, ...change });
  expect(await findByDeviceDigest(prepared, digest("unknown"))).toBeNull();
});
