import type { TokenDigest } from "@/kernel/crypto/token";
import type { Db } from "@/kernel/db/db";
import { type OwnerPath, ownerPathColumns } from "../applications/owner";
import { NOT_BLOCKED } from "../applications/owner-blocked";
import type { DeviceStatus } from "./rules";

export type NewRequest = Readonly<{
  deviceDigest: TokenDigest;
  userCodeDigest: string;
  applicationId: number;
  scopes: string;
  address: string;
  userAgent: string;
  createdAt: Date;
  expiresAt: Date;
  intervalSeconds: number;
}>;

/**
 * Stores a device request.
 * @throws a unique violation when another request has this user code.
 */
export async function insert(db: Db, request: NewRequest): Promise<void> {
  await db.deviceAuthorization.create({ data: { ...request, status: "waiting" }, select: { id: true } });
}

/** The columns of a device request that the page for allowing or denying the device shows. */
export type ShownRequest = Readonly<{
  id: number;
  scopes: string;
  address: string;
  userAgent: string;
  createdAt: Date;
  expiresAt: Date;
  application: Readonly<{
    id: number;
    uid: string;
    name: string;
    authMethod: string | null;
    scopes: string;
  }> &
    OwnerPath;
}>;

/**
 * Returns the pending device request whose user code has one of these digests. The result is null for an
 * unknown, used or expired user code, and for a blocked application.
 */
export const findWaiting = (
  db: Db,
  userCodeDigests: readonly string[],
  now: Date,
): Promise<ShownRequest | null> =>
  db.deviceAuthorization.findFirst({
    where: {
      userCodeDigest: { in: [...userCodeDigests] },
      status: "waiting",
      expiresAt: { gt: now },
      application: NOT_BLOCKED,
    },
    select: {
      id: true,
      scopes: true,
      address: true,
      userAgent: true,
      createdAt: true,
      expiresAt: true,
      application: {
        select: { id: true, uid: true, name: true, authMethod: true, scopes: true, ...ownerPathColumns },
      },
    },
  });

/** The state of a device request. */
export type Standing = Readonly<{
  status: DeviceStatus;
  userId: number | null;
  applicationId: number;
  scopes: string;
  application: Readonly<{ scopes: string }>;
}>;

export async function find(db: Db, id: number): Promise<Standing | null> {
  const application = { select: { scopes: true } } as const;
  const select = { status: true, userId: true, applicationId: true, scopes: true, application } as const;
  const row = await db.deviceAuthorization.findUnique({ where: { id }, select });
  return row && { ...row, status: statusFrom(row.status) };
}

/** The last authentication of the user who allows or denies the device. */
export type Authentication = Readonly<{ authTime: Date | null; acr: string | null; amr: string | null }>;

/**
 * Stores the decision of a user and removes the user code.
 * @returns true for exactly one of several simultaneous decisions.
 */
export async function decide(
  db: Db,
  id: number,
  decision: Authentication & Readonly<{ status: "approved" | "denied"; userId: number; now: Date }>,
): Promise<boolean> {
  const { status, now, ...values } = decision;
  const { count } = await db.deviceAuthorization.updateMany({
    // A user cannot allow the device of a blocked application.
    where: {
      id,
      status: "waiting",
      expiresAt: { gt: now },
      ...(status === "approved" ? { application: NOT_BLOCKED } : {}),
    },
    data: { status, ...values, decidedAt: now, userCodeDigest: null },
  });
  return count === 1;
}

/** Selects device approvals by user, by application, or by both. */
export type Approvals =
  | Readonly<{ userId: number; applicationId?: number }>
  | Readonly<{ applicationId: number }>;

/** Revokes the approvals of devices that have not yet requested their tokens. */
export async function endApproved(
  db: Db,
  about: Approvals,
  status: Extract<DeviceStatus, "denied" | "withdrawn">,
): Promise<void> {
  await db.deviceAuthorization.updateMany({ where: { ...about, status: "approved" }, data: { status } });
}

/** Deletes the device requests of an application. */
export async function removeOf(db: Db, applicationId: number): Promise<void> {
  await db.deviceAuthorization.deleteMany({ where: { applicationId } });
}

/**
 * Marks an approved device request as redeemed.
 * @returns true for exactly one of several concurrent callers, and for no caller when the user is blocked.
 */
export async function claim(db: Db, id: number, now: Date): Promise<boolean> {
  const { count } = await db.deviceAuthorization.updateMany({
    where: { id, status: "approved", expiresAt: { gt: now }, user: { state: "active" } },
    data: { status: "redeemed" },
  });
  return count === 1;
}

const STATUSES: readonly DeviceStatus[] = ["waiting", "approved", "denied", "redeemed", "withdrawn"];

/**
 * Returns the status of a device request from its stored value. An unknown value counts as redeemed, so that
 * the device gets no tokens.
 */
export const statusFrom = (text: string): DeviceStatus =>
  STATUSES.find((status) => status === text) ?? "redeemed";
