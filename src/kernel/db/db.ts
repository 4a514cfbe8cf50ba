import type { PrismaClient } from "./generated/sqlite/client.ts";
import type { Prepared } from "./prepared.ts";
import type { RecordedEvents } from "./recorded-events.ts";

/** The tables, inside or outside a transaction. The PostgreSQL client has the same shape and is cast to it once. */
export type Db = Omit<
  PrismaClient,
  "$connect" | "$disconnect" | "$extends" | "$on" | "$transaction" | "$use"
>;

/** What a bearer token stands for, in one row: the token, its application and its person. Times are dates. */
export type BearerRow = Readonly<{
  tokenId: number;
  familyId: number;
  scopes: string;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  applicationId: number | null;
  applicationUid: string | null;
  /** Of the grant that the token belongs to, as it is written down. */
  lastUsedAt: Date | null;
  /** Whether an administrator has blocked the application. */
  applicationBlocked: boolean;
  user: Readonly<{
    id: number;
    username: string;
    name: string;
    email: string;
    emailVerified: boolean;
    admin: boolean;
    state: string;
    createdAt: Date;
    /** Whether a second factor has been set up. */
    twoFactor: boolean;
    privateProfile: boolean;
  }>;
}>;

/** At once on SQLite, later on PostgreSQL. */
export type Eventually<Value> = Value | Promise<Value>;

/** A refresh token with the family that it belongs to, in one row. */
export type RefreshRow = Readonly<{
  tokenId: number;
  createdAt: Date;
  refreshExpiresAt: Date | null;
  revokedAt: Date | null;
  rotatedAt: Date | null;
  sealedAnswer: string | null;
  applicationId: number | null;
  applicationUid: string | null;
  applicationBlocked: boolean;
  user: Readonly<{ id: number; username: string; state: string }>;
  family: Readonly<{
    id: number;
    scopes: string;
    redirectUri: string | null;
    codeChallenge: string | null;
    authTime: Date | null;
    createdAt: Date;
    revokedAt: Date | null;
  }>;
}>;

/** A refresh token that is to be spent, and the row that succeeds it. */
export type Rotation = Readonly<{
  tokenId: number;
  familyId: number;
  now: Date;
  /** Kept with the spent token. */
  sealedAnswer: string | null;
  successor: Readonly<{
    accessDigest: string;
    refreshDigest: string;
    applicationId: number | null;
    userId: number;
    scopes: string;
    expiresAt: Date | null;
    refreshExpiresAt: Date | null;
    endsAt: Date | null;
  }>;
}>;

/** What a personal access token stands for. */
export type PersonalTokenRow = Readonly<{
  tokenId: number;
  name: string;
  scopes: string;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  /** Null: it came of no other by rotation. */
  familyId: number | null;
  user: BearerRow["user"];
}>;

/** A device authorization request, as a poll needs it. */
export type DeviceRow = Readonly<{
  id: number;
  applicationId: number;
  scopes: string;
  status: string;
  userId: number | null;
  authTime: Date | null;
  expiresAt: Date;
  intervalSeconds: number;
  lastPolledAt: Date | null;
}>;

/** A poll that is to be recorded if the request still waits and is as it was read. */
export type RecordedPoll = Readonly<{
  id: number;
  before: Pick<DeviceRow, "intervalSeconds" | "lastPolledAt">;
  after: Pick<DeviceRow, "intervalSeconds" | "lastPolledAt">;
}>;

/** A client with its live secrets, for its authentication. */
export type ClientRow = Readonly<{
  id: number;
  uid: string;
  name: string;
  redirectUris: string;
  scopes: string;
  confidential: boolean;
  trusted: boolean;
  requiresPkce: boolean;
  allowsPassword: boolean;
  createdAt: Date;
  lastUsedAt: Date | null;
  blockedAt: Date | null;
  owner: Readonly<{ id: number; username: string; name: string }>;
  /** It is refused because its owner is not active. */
  ownerBlocked: boolean;
  secrets: readonly Readonly<{ id: number; digest: string; lastUsedAt: Date | null }>[];
}>;

/** A client key of error tracking, with whether its project collects errors here. */
export type CollectorKeyRow = Readonly<{
  keyId: number;
  projectId: number;
  active: boolean;
  collects: boolean;
}>;

/** The hot paths: prepared statements, one module per database behind this type. */
export type HotPaths = Readonly<{
  /** The access token with this digest, whatever its state; null when there is none. */
  bearer: (accessDigest: string) => Eventually<BearerRow | null>;
  /** The refresh token with this digest, whatever its state; null when there is none. */
  refresh: (refreshDigest: string) => Eventually<RefreshRow | null>;
  /**
   * Spends a refresh token and stores its successor, in one transaction that waits for nothing outside the database.
   * @returns true for exactly one of any number of callers, and for none once the family is revoked.
   */
  rotate: (rotation: Rotation) => Promise<boolean>;
  /** The personal access token with this digest, whatever its state; null when there is none. */
  personalToken: (digest: string) => Eventually<PersonalTokenRow | null>;
  /** The device authorization request with this digest of its device code; null when there is none. */
  device: (deviceDigest: string) => Eventually<DeviceRow | null>;
  /**
   * Moves the clock of a device's polls.
   * @returns false when the request has changed since it was read.
   */
  recordPoll: (poll: RecordedPoll) => Promise<boolean>;
  /** The application with this `client_id`; null when there is none. */
  client: (uid: string) => Eventually<ClientRow | null>;
  /** The client key of error tracking with this public key, whatever its state; null when there is none. */
  collectorKey: (publicKey: string) => Eventually<CollectorKeyRow | null>;
  /**
   * Stores what a request brought to a project. Resolves once it is on the disk.
   * @returns false when the project is gone.
   */
  recordEvents: (events: RecordedEvents) => Promise<boolean>;
  /** Stored settings, as JSON by key. */
  settings: () => Eventually<readonly Readonly<{ key: string; value: string }>[]>;
  /** Stored feature flags. */
  flags: () => Eventually<readonly Readonly<{ name: string; enabled: boolean }>[]>;
}>;

/** An open, migrated database. */
export type Database = Readonly<{
  db: Db;
  hot: HotPaths;
  prepared: Prepared;
  /** Runs in one transaction, retried by nobody: what it throws rolls it back. */
  transaction: <Result>(run: (db: Db) => Promise<Result>) => Promise<Result>;
  close: () => Promise<void>;
}>;
