import type { TokenDigest } from "@/kernel/crypto/token";
import { integer, nullable, text, time } from "@/kernel/db/column-types";
import type { Eventually, Prepared, PreparedWrite } from "@/kernel/db/prepared";
import { type RowOf, statement } from "@/kernel/db/statement";

const COLUMNS = {
  id: [`"id"`, integer],
  applicationId: [`"applicationId"`, integer],
  scopes: [`"scopes"`, text],
  status: [`"status"`, text],
  userId: [`"userId"`, nullable(integer)],
  authTime: [`"authTime"`, nullable(time)],
  acr: [`"acr"`, nullable(text)],
  amr: [`"amr"`, nullable(text)],
  expiresAt: [`"expiresAt"`, time],
  intervalSeconds: [`"intervalSeconds"`, integer],
  lastPolledAt: [`"lastPolledAt"`, nullable(time)],
} as const;

/** The columns of a device authorization request that a poll needs. */
export type DeviceRow = RowOf<typeof COLUMNS>;

const DEVICE = statement({
  name: "device",
  parameters: { digest: text },
  columns: COLUMNS,
  sql: (columns) => `SELECT ${columns} FROM "DeviceAuthorization" WHERE "deviceDigest" = :digest`,
});

/**
 * Returns the device authorization request with this digest of its device code; null for an unknown digest.
 */
export const findByDeviceDigest = (prepared: Prepared, digest: TokenDigest): Eventually<DeviceRow | null> =>
  prepared.first(DEVICE, { digest });

/**
 * The values of a poll to record. The poll is not recorded if the request has been decided or polled since it
 * was read.
 */
export type RecordedPoll = Readonly<{
  id: number;
  before: Pick<DeviceRow, "intervalSeconds" | "lastPolledAt">;
  after: Pick<DeviceRow, "intervalSeconds" | "lastPolledAt">;
}>;

const RECORD = statement({
  name: "record_poll",
  parameters: {
    id: integer,
    intervalBefore: integer,
    polledBefore: nullable(time),
    intervalAfter: integer,
    polledAfter: nullable(time),
  },
  columns: {},
  sql: () => `
    UPDATE "DeviceAuthorization" SET "intervalSeconds" = :intervalAfter, "lastPolledAt" = :polledAfter
    WHERE "id" = :id AND "status" = 'waiting' AND "intervalSeconds" = :intervalBefore
      AND "lastPolledAt" IS NOT DISTINCT FROM :polledBefore`,
});

const valuesOf = ({ id, before, after }: RecordedPoll) => ({
  id,
  intervalBefore: before.intervalSeconds,
  polledBefore: before.lastPolledAt,
  intervalAfter: after.intervalSeconds,
  polledAfter: after.lastPolledAt,
});

export const POLL: PreparedWrite<RecordedPoll> = {
  name: "poll",
  sqlite: { each: (session, poll) => session.run(RECORD, valuesOf(poll)) === 1 },
  postgresql: {
    connections: 2,
    statement: async (session, poll) => (await session.run(RECORD, valuesOf(poll))) === 1,
  },
};

/**
 * Records the time of a poll and the new interval.
 * @returns false when the request has changed since it was read.
 */
export const recordPoll = (prepared: Prepared, poll: RecordedPoll): Promise<boolean> =>
  prepared.write(POLL, poll);
