import { isScope } from "@/access/scopes";
import type { SealedRow } from "@/instance/secret-rotation/sealed-column";
import type { TokenDigest } from "@/kernel/crypto/token";
import { NAMED_MAX, named, padToPowerOfFour } from "@/kernel/db/conditions";
import type { Db } from "@/kernel/db/db";
import type { Prisma } from "@/kernel/db/generated/sqlite/client";
import { literally } from "@/kernel/db/like";
import {
  COUNTED_MAX,
  directionOf,
  type KeysetPage,
  type KeysetPaging,
  keysetFilterOf,
  keysetPageFrom,
  type Page,
  type Paging,
  pageFrom,
  windowOf,
} from "@/kernel/paging/paging";
import { caseVariantsOf } from "@/kernel/text/case-variants";
import type { BackchannelLogout } from "./backchannel-logout";
import { ASSERTION_METHODS, type ClientAuthentication } from "./client-authentication";
import { logoUrl } from "./logo-url";
import { type OwnerPath, ownerColumns, ownerFrom, ownerPathColumns, ownerPathOf } from "./owner";
import { isOwnerBlocked } from "./owner-blocked";
import type {
  Application,
  ApplicationInput,
  ApplicationOwner,
  ApplicationSecret,
  DependentApplications,
  ListedApplication,
  NamedUser,
  ShownApplication,
} from "./rules";
import type { ClientRow } from "./store.sql";
import { type TokenOptions, tokenOptionsFrom } from "./token-options";

const columns = {
  id: true,
  uid: true,
  name: true,
  redirectUris: true,
  scopes: true,
  confidential: true,
  trusted: true,
  requiresPkce: true,
  allowsPassword: true,
  authMethod: true,
  idTokenAlgorithm: true,
  requiresPushedRequests: true,
  requiresDpop: true,
  backchannelLogoutUri: true,
  backchannelLogoutSessionRequired: true,
  accessTokenFormat: true,
  clientCredentialsScopes: true,
  resourceServer: true,
  createdAt: true,
  lastUsedAt: true,
  blockedAt: true,
  ...ownerColumns,
  maintainer: { select: { id: true, username: true, name: true } },
  logo: { select: { digest: true } },
} as const;

type ScopeColumn = "scopes" | "clientCredentialsScopes";
type PlainRow = Omit<
  Application,
  "redirectUris" | ScopeColumn | "authMethod" | "tokens" | "backchannelLogout"
> &
  Readonly<
    Record<"redirectUris" | ScopeColumn | keyof TokenOptions, string> & {
      authMethod: string | null;
      backchannelLogoutUri: string | null;
      backchannelLogoutSessionRequired: boolean;
    }
  >;
type OwnerRow = Parameters<typeof ownerFrom>[0] & Parameters<typeof isOwnerBlocked>[0];
type Row = Omit<PlainRow, "ownerBlocked" | "registered"> &
  OwnerRow &
  Readonly<{ logo: { readonly digest: string } | null; maintainer: NamedUser | null }>;

const applicationFrom = <Columns extends PlainRow>({
  idTokenAlgorithm,
  accessTokenFormat,
  backchannelLogoutUri: uri,
  backchannelLogoutSessionRequired: sessionRequired,
  ...row
}: Columns) => ({
  ...row,
  redirectUris: row.redirectUris.split("\n"),
  scopes: row.scopes.split(" ").filter(isScope),
  clientCredentialsScopes: row.clientCredentialsScopes.split(" ").filter(isScope),
  authMethod: ASSERTION_METHODS.find((method) => method === row.authMethod) ?? null,
  tokens: tokenOptionsFrom({ idTokenAlgorithm, accessTokenFormat }),
  backchannelLogout: { uri, sessionRequired },
});

const shownFrom = ({ logo, owner, group, maintainer, ...row }: Row): ShownApplication => ({
  ...applicationFrom({
    ...row,
    registered: owner !== null || group !== null,
    ownerBlocked: isOwnerBlocked({ trusted: row.trusted, owner, group }),
  }),
  owner: ownerFrom({ owner, group }),
  maintainer,
  logo: logo && logoUrl(row.id, logo.digest),
});

const columnsOf = (input: ApplicationInput) => ({
  name: input.name,
  redirectUris: input.redirectUris.join("\n"),
  scopes: input.scopes.join(" "),
  confidential: input.confidential,
  requiresPkce: input.requiresPkce,
  allowsPassword: input.allowsPassword,
  ...(input.requiresPushedRequests === undefined
    ? {}
    : { requiresPushedRequests: input.requiresPushedRequests }),
  ...(input.requiresDpop === undefined ? {} : { requiresDpop: input.requiresDpop }),
  ...(input.authentication === undefined
    ? {}
    : {
        authMethod: input.authentication.method,
        jwks: input.authentication.jwks,
        jwksUri: input.authentication.jwksUri,
      }),
  ...input.tokens,
  ...(input.clientCredentialsScopes === undefined
    ? {}
    : { clientCredentialsScopes: input.clientCredentialsScopes.join(" ") }),
  ...logoutColumnsOf(input.backchannelLogout),
});

const logoutColumnsOf = (logout: BackchannelLogout | undefined) =>
  logout && {
    backchannelLogoutUri: logout.uri,
    backchannelLogoutSessionRequired: logout.sessionRequired,
  };

/** A user or a group whose applications are listed. */
export type Holder = Readonly<{
  /** `manager` selects the applications that a user owns or maintains. */
  kind: "owner" | "manager" | "group";
  id: number;
}>;

function heldBy({ kind, id }: Holder): Prisma.ApplicationWhereInput {
  if (kind === "group") return { groupId: id };
  return kind === "owner" ? { ownerId: id } : { OR: [{ ownerId: id }, { maintainerId: id }] };
}

/** The columns by which a list of applications is sorted. */
export type OwnedKey = Readonly<{ id: number; name: string; lastUsedAt: Date | null }>;

/** Returns at most `most` applications of a holder, newest first. An empty search matches every name. */
export function ownedKeys(
  db: Db,
  holder: Holder,
  search: string,
  most: number,
): Promise<readonly OwnedKey[]> {
  const names = caseVariantsOf(search).map((text) => ({ name: { contains: literally(text) } }));
  // A short search would match the random beginnings of many Application IDs.
  const uids = /^[0-9a-f]{8,}$/.test(search) ? [{ uid: { startsWith: search } }] : [];
  return db.application.findMany({
    where: { AND: [heldBy(holder), search === "" ? {} : { OR: [...names, ...uids] }] },
    select: { id: true, name: true, lastUsedAt: true },
    orderBy: { id: "desc" },
    take: most,
  });
}

/** Returns the applications of a holder with these ids, in the order of the ids. */
export async function ownedWithIds(
  db: Db,
  holder: Holder,
  ids: readonly number[],
): Promise<readonly ShownApplication[]> {
  const where = { ...heldBy(holder), id: { in: padToPowerOfFour(ids) } };
  const rows = await db.application.findMany({ where, select: columns });
  return rows.map(shownFrom).toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}

export async function list(db: Db): Promise<readonly ShownApplication[]> {
  return (await db.application.findMany({ select: columns, orderBy: { id: "asc" } })).map(shownFrom);
}

/**
 * Returns an application that a user owns or maintains, or that a group owns. The caller must check the role of the
 * user in this group.
 */
export async function findManageable(db: Db, userId: number, id: number): Promise<ShownApplication | null> {
  const OR = [{ ownerId: userId }, { maintainerId: userId }, { groupId: { not: null } }];
  const row = await db.application.findFirst({ where: { id, OR }, select: columns });
  return row && shownFrom(row);
}

/** Locks the row of an application until the transaction ends. */
export async function lock(db: Db, id: number, now: Date): Promise<void> {
  await db.application.updateMany({ where: { id }, data: { updatedAt: now } });
}

/** Returns the number of applications of a group and its descendants, and the first names. */
export async function inGroup(
  db: Db,
  groupId: number,
  most: number,
): Promise<Readonly<{ count: number; names: readonly string[] }>> {
  const where = { group: { above: { some: { ancestorId: groupId } } } };
  const select = { name: true } as const;
  const [count, rows] = await Promise.all([
    db.application.count({ where }),
    db.application.findMany({ where, select, orderBy: { id: "asc" }, take: most }),
  ]);
  return { count, names: rows.map(({ name }) => name) };
}

/** Sets the owner of an application, and removes its second maintainer. */
export async function setOwner(db: Db, id: number, { kind, id: ownerId }: NewOwner): Promise<void> {
  const owner = kind === "group" ? { ownerId: null, groupId: ownerId } : { ownerId, groupId: null };
  await db.application.update({
    where: { id },
    data: { ...owner, maintainerId: null },
    select: { id: true },
  });
}

/** Sets or removes the second maintainer of an application. */
export async function setMaintainer(db: Db, id: number, maintainerId: number | null): Promise<void> {
  await db.application.update({ where: { id }, data: { maintainerId }, select: { id: true } });
}

export async function findByUid(db: Db, uid: string): Promise<ShownApplication | null> {
  const row = await db.application.findUnique({ where: { uid }, select: columns });
  return row && shownFrom(row);
}

export async function findById(db: Db, id: number): Promise<ShownApplication | null> {
  const row = await db.application.findUnique({ where: { id }, select: columns });
  return row && shownFrom(row);
}

/** Returns an application and its secrets from the row of client authentication. */
export const clientFrom = ({ application, ...row }: ClientRow) => ({
  ...row,
  application: applicationFrom(application) satisfies Application,
});

/** A secret as it is stored. `sealed` is the encrypted secret of an application that signs with its secret. */
export type NewSecret = Readonly<{ digest: TokenDigest; ending: string; sealed: string | null }>;

/** The owner of a new or a transferred application. */
export type NewOwner = Readonly<{ kind: "user" | "group"; id: number }>;

export type NewApplication = ApplicationInput &
  Readonly<{ uid: string; trusted: boolean; owner: NewOwner; secret: NewSecret | null; now: Date }>;

export async function insert(db: Db, application: NewApplication): Promise<ShownApplication> {
  const { uid, trusted, owner, secret, now } = application;
  const row = await db.application.create({
    data: {
      ...columnsOf(application),
      uid,
      trusted,
      ...(owner.kind === "group" ? { groupId: owner.id } : { ownerId: owner.id }),
      createdAt: now,
      updatedAt: now,
      secrets: { create: secret === null ? [] : [{ ...secret, createdAt: now }] },
    },
    select: columns,
  });
  return shownFrom(row);
}

/**
 * A client that identified or registered itself: nobody owns it, and it has no secret. A client that authenticates with
 * its own key is confidential.
 */
export type UnregisteredClient = Readonly<{
  uid: string;
  name: string;
  redirectUris: readonly string[];
  scopes: readonly string[];
  backchannelLogout: BackchannelLogout;
  authentication: ClientAuthentication;
}>;

/** Stores a client without an owner, or replaces its values. */
export async function putUnregistered(
  db: Db,
  client: UnregisteredClient,
  now: Date,
): Promise<ShownApplication> {
  const values = {
    name: client.name,
    redirectUris: client.redirectUris.join("\n"),
    scopes: client.scopes.join(" "),
    ...logoutColumnsOf(client.backchannelLogout),
    confidential: client.authentication.method !== null,
    authMethod: client.authentication.method,
    jwks: client.authentication.jwks,
    jwksUri: client.authentication.jwksUri,
    updatedAt: now,
  };
  const fixed = { trusted: false, requiresPkce: true, allowsPassword: false };
  const row = await db.application.upsert({
    where: { uid: client.uid },
    create: { ...values, ...fixed, uid: client.uid, createdAt: now },
    update: values,
    select: columns,
  });
  return shownFrom(row);
}

/**
 * Deletes clients that identified or registered themselves and that no user has authorized. Blocked clients are kept,
 * so that they stay blocked.
 */
export async function removeUnused(db: Db, before: Date, most: number): Promise<number> {
  const none = { none: {} } as const;
  const unused = {
    ownerId: null,
    groupId: null,
    blockedAt: null,
    createdAt: { lt: before },
    consents: none,
    families: none,
    codes: none,
    devices: none,
  };
  const clients = await db.application.findMany({ where: unused, take: most, select: { id: true } });
  if (clients.length === 0) return 0;
  const ids = padToPowerOfFour(clients.map(({ id }) => id));
  return (await db.application.deleteMany({ where: { ...unused, id: { in: ids } } })).count;
}

export async function update(db: Db, id: number, input: ApplicationInput): Promise<void> {
  await db.application.update({ where: { id }, data: columnsOf(input) });
}

export const secretsOf = (db: Db, applicationId: number): Promise<readonly ApplicationSecret[]> =>
  db.applicationSecret.findMany({
    where: { applicationId },
    select: { id: true, ending: true, createdAt: true, lastUsedAt: true },
    orderBy: { id: "asc" },
  });

/**
 * Stores a secret.
 * @returns the id of the new secret.
 */
export async function insertSecret(db: Db, id: number, secret: NewSecret, now: Date): Promise<number> {
  const data = { ...secret, applicationId: id, createdAt: now };
  return (await db.applicationSecret.create({ data, select: { id: true } })).id;
}

export async function removeSecret(db: Db, id: number, secretId: number): Promise<void> {
  await db.applicationSecret.deleteMany({ where: { id: secretId, applicationId: id } });
}

/** Returns the public keys of an application, as they are stored. */
export const keysOf = (
  db: Db,
  id: number,
): Promise<Readonly<{ jwks: string | null; jwksUri: string | null }> | null> =>
  db.application.findFirst({ where: { id }, select: { jwks: true, jwksUri: true } });

/** Deletes the encrypted secrets of an application that no longer signs with them; their digests stay. */
export async function discardSealedSecrets(db: Db, id: number): Promise<void> {
  await db.applicationSecret.updateMany({ where: { applicationId: id }, data: { sealed: null } });
}

export async function removeSecrets(db: Db, id: number): Promise<void> {
  await db.applicationSecret.deleteMany({ where: { applicationId: id } });
}

export type Logo = Readonly<{ png: Uint8Array<ArrayBuffer>; digest: string; createdAt: Date }>;

export async function putLogo(db: Db, applicationId: number, logo: Logo): Promise<void> {
  await db.applicationLogo.upsert({
    where: { applicationId },
    create: { ...logo, applicationId },
    update: logo,
    select: { applicationId: true },
  });
}

/**
 * Deletes the logo of an application.
 * @returns false when the application has no logo.
 */
export async function removeLogo(db: Db, applicationId: number): Promise<boolean> {
  return (await db.applicationLogo.deleteMany({ where: { applicationId } })).count === 1;
}

/** Returns the logo with this digest; null when the application has another logo. */
export async function findLogo(
  db: Db,
  applicationId: number,
  digest: string,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const select = { png: true } as const;
  return (await db.applicationLogo.findFirst({ where: { applicationId, digest }, select }))?.png ?? null;
}

/** Returns the digests of the logos of these applications; the keys of the map are the ids. */
export async function logoDigests(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await db.applicationLogo.findMany({
    where: { applicationId: { in: padToPowerOfFour(ids) } },
    select: { applicationId: true, digest: true },
  });
  return new Map(rows.map(({ applicationId, digest }) => [applicationId, digest]));
}

export async function findLogoDigest(db: Db, applicationId: number): Promise<string | null> {
  const select = { digest: true } as const;
  return (await db.applicationLogo.findUnique({ where: { applicationId }, select }))?.digest ?? null;
}

/** Deletes an application with its codes, tokens and consents. */
export async function remove(db: Db, id: number): Promise<void> {
  await db.application.deleteMany({ where: { id } });
}

export async function endTrust(db: Db, id: number): Promise<void> {
  await db.application.update({ where: { id }, data: { trusted: false } });
}

const listedColumns = {
  id: true,
  uid: true,
  name: true,
  redirectUris: true,
  scopes: true,
  confidential: true,
  trusted: true,
  requiresPkce: true,
  allowsPassword: true,
  authMethod: true,
  jwksUri: true,
  idTokenAlgorithm: true,
  requiresPushedRequests: true,
  requiresDpop: true,
  accessTokenFormat: true,
  backchannelLogoutUri: true,
  backchannelLogoutSessionRequired: true,
  clientCredentialsScopes: true,
  bot: { select: { user: { select: { id: true, username: true } } } },
  resourceServer: true,
  createdAt: true,
  lastUsedAt: true,
  blockedAt: true,
  ...ownerColumns,
} as const;

type ListedRow = Omit<
  ListedApplication,
  | "redirectUris"
  | ScopeColumn
  | "authMethod"
  | "tokens"
  | "backchannelLogout"
  | "bot"
  | "ownerBlocked"
  | "owner"
> &
  OwnerRow &
  Readonly<Record<"redirectUris" | ScopeColumn | keyof TokenOptions, string>> &
  Readonly<{
    authMethod: string | null;
    backchannelLogoutUri: string | null;
    backchannelLogoutSessionRequired: boolean;
    bot: Readonly<{ user: Readonly<{ id: number; username: string }> }> | null;
  }>;

const listedFrom = ({
  owner,
  group,
  bot,
  idTokenAlgorithm,
  accessTokenFormat,
  backchannelLogoutUri: uri,
  backchannelLogoutSessionRequired: sessionRequired,
  ...row
}: ListedRow): ListedApplication => ({
  ...row,
  authMethod: ASSERTION_METHODS.find((method) => method === row.authMethod) ?? null,
  tokens: tokenOptionsFrom({ idTokenAlgorithm, accessTokenFormat }),
  backchannelLogout: { uri, sessionRequired },
  clientCredentialsScopes: row.clientCredentialsScopes.split(" ").filter(isScope),
  bot: bot?.user ?? null,
  owner: ownerFrom({ owner, group }),
  ownerBlocked: isOwnerBlocked({ trusted: row.trusted, owner, group }),
  redirectUris: row.redirectUris.split("\n"),
  scopes: row.scopes.split(" "),
});

/**
 * Returns applications of the instance, newest first. A search scans the table by its key until the page is
 * full.
 * @param search a part of the name, or the beginning of the Application ID, of the owner's username or of the
 * group's full path; empty to match all applications.
 */
export async function listAll(
  db: Db,
  search: string,
  paging: KeysetPaging,
): Promise<KeysetPage<ListedApplication>> {
  const rows = await db.application.findMany({
    where: { ...keysetFilterOf(paging), ...(search === "" ? {} : { OR: matching(search) }) },
    orderBy: { id: directionOf(paging) },
    ...windowOf(paging),
    select: listedColumns,
  });
  return keysetPageFrom(paging, rows.map(listedFrom));
}

function matching(search: string) {
  const lower = search.toLowerCase();
  return [
    { uid: { startsWith: literally(lower) } },
    { owner: { usernameLower: { startsWith: literally(lower) } } },
    { group: { fullPathLower: { startsWith: literally(lower) } } },
    ...caseVariantsOf(search).map((text) => ({ name: { contains: literally(text) } })),
  ];
}

/** An application as a search result. */
export type FoundApplication = Readonly<{ id: number; name: string; uid: string; owner: string }>;

/**
 * The number of rows that a search reads from an index. The search returns only the rows that begin with the given
 * text.
 */
const PREFIX_ROWS = 20;

const foundColumns = { id: true, name: true, uid: true, ...ownerPathColumns } as const;

const foundFrom = ({ id, name, uid, ...row }: Omit<FoundApplication, "owner"> & OwnerPath) => ({
  id,
  name,
  uid,
  owner: `${row.owner === null ? "" : "@"}${ownerPathOf(row)}`,
});

/**
 * Returns at most `most` applications that a user owns or maintains, and whose name contains a text in one of its usual
 * case variants.
 */
export async function findOwnMatching(
  db: Db,
  userId: number,
  search: string,
  most: number,
): Promise<readonly FoundApplication[]> {
  const OR = caseVariantsOf(search).map((text) => ({ name: { contains: literally(text) } }));
  const where = { AND: [heldBy({ kind: "manager", id: userId }), { OR }] };
  const rows = await db.application.findMany({ where, take: most, select: foundColumns });
  return rows.map(foundFrom);
}

/**
 * Returns at most `most` applications of the instance whose name begins with a text in one of its usual case
 * variants, or whose Application ID begins with the text. Each query reads a few rows of an index.
 */
export async function findByPrefix(
  db: Db,
  search: string,
  most: number,
): Promise<readonly FoundApplication[]> {
  const conditions = [
    ...caseVariantsOf(search).map((text) => ["name", text] as const),
    ["uid", search.toLowerCase()] as const,
  ];
  const matches = await Promise.all(
    conditions.map(async ([column, text]) => {
      const rows = await db.application.findMany({
        where: { [column]: { gte: text } },
        orderBy: { [column]: "asc" },
        take: PREFIX_ROWS,
        select: foundColumns,
      });
      return rows.filter((row) => row[column].startsWith(text)).map(foundFrom);
    }),
  );
  return [...new Map(matches.flat().map((row) => [row.id, row])).values()].slice(0, most);
}

export async function findListed(db: Db, id: number): Promise<ListedApplication | null> {
  const row = await db.application.findUnique({ where: { id }, select: listedColumns });
  return row && listedFrom(row);
}

/** A Prisma condition for applications that belong to the instance, because an administrator owns them. */
const OF_INSTANCE = { owner: { admin: true } } as const;

export async function findOfInstance(db: Db, id: number): Promise<ListedApplication | null> {
  const row = await db.application.findFirst({ where: { id, ...OF_INSTANCE }, select: listedColumns });
  return row && listedFrom(row);
}

/** Returns an application of the instance with its logo and all its columns. */
export async function findShownOfInstance(db: Db, id: number): Promise<ShownApplication | null> {
  const row = await db.application.findFirst({ where: { id, ...OF_INSTANCE }, select: columns });
  return row && shownFrom(row);
}

/**
 * Returns a condition for applications that administrators own: a list of the administrators' ids, or
 * `OF_INSTANCE` if the instance has too many administrators.
 */
async function administratorsOwn(db: Db): Promise<Prisma.ApplicationWhereInput> {
  const admins = await db.user.findMany({
    where: { admin: true },
    select: { id: true },
    take: NAMED_MAX + 1,
  });
  const ids = named(admins.map(({ id }) => id));
  return ids === null ? OF_INSTANCE : { ownerId: { in: padToPowerOfFour(ids) } };
}

/** The kind of the owners of applications. */
export type OwnerKind = ApplicationOwner["kind"] | "all";

const OF_KIND = {
  instance: administratorsOwn,
  user: () => ({ owner: { admin: false } }),
  group: () => ({ groupId: { not: null } }),
  nobody: () => ({ ownerId: null, groupId: null }),
  all: () => ({}),
} as const satisfies Record<OwnerKind, (db: Db) => unknown>;

/**
 * Returns a page of the applications with a kind of owners, newest first unless a keyset page sets another order.
 */
export async function partOfKind(db: Db, kind: OwnerKind, paging: Paging): Promise<Page<ListedApplication>> {
  const ofKind = await OF_KIND[kind](db);
  const rows = db.application.findMany({
    where: { ...ofKind, ...keysetFilterOf(paging) },
    orderBy: { id: directionOf(paging, true) },
    select: listedColumns,
    ...windowOf(paging),
  });
  return pageFrom(
    paging,
    rows.then((listed) => listed.map(listedFrom)),
    () => db.application.count({ where: ofKind, take: COUNTED_MAX + 1 }),
  );
}

/** Returns the names of the applications with these ids; the keys of the map are the ids. */
export async function names(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const where = { id: { in: [...new Set(ids)] } };
  const rows = await db.application.findMany({ where, select: { id: true, name: true } });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Returns the applications with these Application IDs, with the Application ID as key. */
export async function byUids(
  db: Db,
  uids: readonly string[],
): Promise<ReadonlyMap<string, Readonly<{ id: number; name: string }>>> {
  const where = { uid: { in: [...uids] } };
  const rows = await db.application.findMany({ where, select: { id: true, uid: true, name: true } });
  return new Map(rows.map(({ uid, ...row }) => [uid, row]));
}

/** Returns at most two ids of applications with this name. */
export async function idsNamed(db: Db, name: string): Promise<readonly number[]> {
  const rows = await db.application.findMany({ where: { name }, take: 2, select: { id: true } });
  return rows.map(({ id }) => id);
}

/** Returns the applications of a user that work only while the user is active, in two indexed queries. */
export async function dependentOn(db: Db, ownerId: number, most: number): Promise<DependentApplications> {
  const count = await db.application.count({ where: { ownerId, trusted: false, blockedAt: null } });
  if (count === 0) return { count, shown: [] };
  const rows = await db.$queryRaw<{ id: number; name: string; users: number | bigint }[]>`
    SELECT a."id", a."name", COUNT(DISTINCT f."userId") AS "users"
    FROM "Application" a
    LEFT JOIN "TokenFamily" f ON f."applicationId" = a."id" AND f."revokedAt" IS NULL
      AND f."grantType" <> 'client_credentials'
    WHERE a."ownerId" = ${ownerId} AND NOT a."trusted" AND a."blockedAt" IS NULL
    GROUP BY a."id", a."name" ORDER BY "users" DESC, a."id" LIMIT ${most}`;
  return { count, shown: rows.map(({ users, ...row }) => ({ ...row, users: Number(users) })) };
}

/**
 * Blocks or unblocks an application.
 * @returns whether the value has changed.
 */
export async function setBlocked(db: Db, id: number, blockedAt: Date | null): Promise<boolean> {
  const where = { id, blockedAt: blockedAt === null ? { not: null } : null };
  return (await db.application.updateMany({ where, data: { blockedAt } })).count === 1;
}

/**
 * Sets whether an application is trusted.
 * @returns whether the value has changed.
 */
export async function setTrusted(db: Db, id: number, trusted: boolean): Promise<boolean> {
  return (
    (await db.application.updateMany({ where: { id, trusted: !trusted }, data: { trusted } })).count === 1
  );
}

/**
 * Sets whether an application is a resource server.
 * @returns whether the value has changed.
 */
export async function setResourceServer(db: Db, id: number, resourceServer: boolean): Promise<boolean> {
  const where = { id, resourceServer: !resourceServer };
  return (await db.application.updateMany({ where, data: { resourceServer } })).count === 1;
}

/** Returns the redirect URIs of the `most` applications that follow the application with the id `after`. */
export const redirectUrisAfter = (db: Db, after: number, most: number) =>
  db.application.findMany({
    where: { id: { gt: after } },
    select: { id: true, name: true, redirectUris: true, ...ownerPathColumns },
    orderBy: { id: "asc" },
    take: most,
  });

/** Returns the client secrets that are stored encrypted, ordered by id. */
export async function listSealed(db: Db, afterId: number, most: number): Promise<readonly SealedRow[]> {
  const rows = await db.applicationSecret.findMany({
    where: { id: { gt: afterId }, sealed: { not: null } },
    orderBy: { id: "asc" },
    take: most,
    select: { id: true, sealed: true, application: { select: { uid: true } } },
  });
  return rows.map(({ id, sealed, application }) => ({ id, sealed: sealed ?? "", subject: application.uid }));
}

/** Replaces an encrypted client secret, if it has not changed. */
export async function replaceSealed(db: Db, id: number, sealed: string, next: string): Promise<void> {
  await db.applicationSecret.updateMany({ where: { id, sealed }, data: { sealed: next } });
}
