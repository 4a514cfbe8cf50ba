import type { DeviceRow } from "./db.ts";
import { dateOrNull, type Parameter, type Readers } from "./hot-queries.ts";

export const deviceQuery = (parameter: Parameter): string => `
  SELECT "id", "applicationId", "scopes", "status", "userId", "authTime", "expiresAt", "intervalSeconds", "lastPolledAt"
  FROM "DeviceAuthorization"
  WHERE "deviceDigest" = ${parameter}`;

/** The columns of `deviceQuery`, in its order. */
export type DeviceColumns<Time> = [
  id: number,
  applicationId: number,
  scopes: string,
  status: string,
  userId: number | null,
  authTime: Time | null,
  expiresAt: Time,
  intervalSeconds: number,
  lastPolledAt: Time | null,
];

export function deviceRow<Time, Flag>(columns: DeviceColumns<Time>, readers: Readers<Time, Flag>): DeviceRow {
  const [id, applicationId, scopes, status, userId, authTime, expiresAt, ...rest] = columns;
  const [intervalSeconds, lastPolledAt] = rest;
  return {
    id,
    applicationId,
    scopes,
    status,
    userId,
    authTime: dateOrNull(authTime, readers),
    expiresAt: readers.date(expiresAt),
    intervalSeconds,
    lastPolledAt: dateOrNull(lastPolledAt, readers),
  };
}
