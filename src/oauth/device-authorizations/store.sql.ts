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

/** The columns that a poll needs from its device authorization request. */
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

/** The interval and the time of the last poll that was not too fast; null before the first poll. */
export type LastPoll = Pick<DeviceRow, "intervalSeconds" | "lastPolledAt">;

const RECORD = statement({
  name: "record_poll",
  parameters: { id: integer, intervalSeconds: integer, lastPolledAt: nullable(time) },
  columns: {},
  // The statement keeps a later poll or a longer interval, which another process may have recorded.
  sql: () => `
    UPDATE "DeviceAuthorization"
    SET "intervalSeconds" = CASE WHEN "intervalSeconds" < :intervalSeconds THEN :intervalSeconds
        ELSE "intervalSeconds" END,
      "lastPolledAt" = CASE WHEN "lastPolledAt" > :lastPolledAt THEN "lastPolledAt" ELSE :lastPolledAt END
    WHERE "id" = :id AND "status" = 'waiting'`,
});

type RecordedPoll = LastPoll & Readonly<{ id: number }>;

export const POLL: PreparedWrite<RecordedPoll> = {
  name: "poll",
  sqlite: { each: (session, poll) => session.run(RECORD, poll) === 1 },
  postgresql: {
    connections: 2,
    statement: async (session, poll) => (await session.run(RECORD, poll)) === 1,
  },
};

/**
 * Records the time and the interval of a poll. If the database already contains a later time or a longer
 * interval, the function keeps these values.
 * @returns false when the user has already decided about the device authorization request.
 */
export const writePoll = (prepared: Prepared, poll: RecordedPoll): Promise<boolean> =>
  prepared.write(POLL, poll);
