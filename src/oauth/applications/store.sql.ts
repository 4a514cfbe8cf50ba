import { flag, integer, integers, nullable, text, texts, time } from "@/kernel/db/column-types";
import { derivedFrom } from "@/kernel/db/derived";
import type { Eventually, Prepared, Reads } from "@/kernel/db/prepared";
import { optional, type RowOf, statement, withList } from "@/kernel/db/statement";
import { keysetStatements, listStatements } from "@/kernel/paging/list-statements";
import { OWNER_BLOCKED } from "./owner-blocked";
import type { ApplicationSecret } from "./rules";

const APPLICATION_COLUMNS = {
  id: [`a."id"`, integer],
  uid: [`a."uid"`, text],
  name: [`a."name"`, text],
  registered: [`(a."ownerId" IS NOT NULL OR a."groupId" IS NOT NULL)`, flag],
  redirectUris: [`a."redirectUris"`, text],
  scopes: [`a."scopes"`, text],
  confidential: [`a."confidential"`, flag],
  trusted: [`a."trusted"`, flag],
  requiresPkce: [`a."requiresPkce"`, flag],
  allowsPassword: [`a."allowsPassword"`, flag],
  requiresPushedRequests: [`a."requiresPushedRequests"`, flag],
  requiresDpop: [`a."requiresDpop"`, flag],
  backchannelLogoutUri: [`a."backchannelLogoutUri"`, nullable(text)],
  backchannelLogoutSessionRequired: [`a."backchannelLogoutSessionRequired"`, flag],
  authMethod: [`a."authMethod"`, nullable(text)],
  idTokenAlgorithm: [`a."idTokenAlgorithm"`, text],
  accessTokenFormat: [`a."accessTokenFormat"`, text],
  clientCredentialsScopes: [`a."clientCredentialsScopes"`, text],
  resourceServer: [`a."resourceServer"`, flag],
  createdAt: [`a."createdAt"`, time],
  lastUsedAt: [`a."lastUsedAt"`, nullable(time)],
  blockedAt: [`a."blockedAt"`, nullable(time)],
  ownerBlocked: [OWNER_BLOCKED, flag],
} as const;

/** A client with its secrets, for client authentication. */
export type ClientRow = Readonly<{
  application: RowOf<typeof APPLICATION_COLUMNS>;
  jwks: string | null;
  jwksUri: string | null;
  secrets: readonly Readonly<{
    id: number;
    digest: string;
    sealed: string | null;
    lastUsedAt: Date | null;
  }>[];
}>;

const CLIENT_COLUMNS = {
  application: APPLICATION_COLUMNS,
  jwks: [`a."jwks"`, nullable(text)],
  jwksUri: [`a."jwksUri"`, nullable(text)],
  secretId: [`s."id"`, nullable(integer)],
  secretDigest: [`s."digest"`, nullable(text)],
  secretSealed: [`s."sealed"`, nullable(text)],
  secretLastUsedAt: [`s."lastUsedAt"`, nullable(time)],
} as const;

/**
 * The statement returns one row for each secret of an application, or one row for an application without
 * secrets.
 */
const CLIENT = statement({
  name: "client",
  isCached: true,
  parameters: { uid: text },
  columns: CLIENT_COLUMNS,
  sql: (columns) => `
    SELECT ${columns}
    FROM "Application" a
    LEFT JOIN "User" o ON o."id" = a."ownerId"
    LEFT JOIN "ApplicationSecret" s ON s."applicationId" = a."id"
    WHERE a."uid" = :uid`,
});

/**
 * Passes the application with this `client_id` and its secrets to `create`, and returns the resulting client;
 * null for an unknown `client_id`.
 */
export async function findClient<Client>(
  prepared: Prepared,
  uid: string,
  create: (row: ClientRow) => Client,
): Promise<Client | null> {
  return derivedFrom(await prepared.all(CLIENT, { uid }), (rows) => {
    const row = clientRowOf(rows);
    return row && create(row);
  });
}

function clientRowOf(rows: readonly RowOf<typeof CLIENT_COLUMNS>[]): ClientRow | null {
  const [first] = rows;
  if (first === undefined) return null;
  const secrets = rows.flatMap(
    ({ secretId: id, secretDigest: digest, secretSealed: sealed, secretLastUsedAt: lastUsedAt }) =>
      id === null || digest === null ? [] : [{ id, digest, sealed, lastUsedAt }],
  );
  const { application, jwks, jwksUri } = first;
  return { application, jwks, jwksUri, secrets };
}

const SHOWN_COLUMNS = {
  ...APPLICATION_COLUMNS,
  owner: optional({
    id: [`o."id"`, integer],
    username: [`o."username"`, text],
    name: [`o."name"`, text],
    admin: [`o."admin"`, flag],
  }),
  group: optional({
    id: [`w."id"`, integer],
    fullPath: [`w."fullPath"`, text],
    name: [`w."name"`, text],
  }),
  maintainer: optional({
    id: [`m."id"`, integer],
    username: [`m."username"`, text],
    name: [`m."name"`, text],
  }),
  logo: [`l."digest"`, nullable(text)],
} as const;

/** An application with its owner, its second maintainer, and the digest of its logo. */
export type ShownRow = RowOf<typeof SHOWN_COLUMNS>;

const FROM_SHOWN = `
  FROM "Application" a
  LEFT JOIN "User" o ON o."id" = a."ownerId"
  LEFT JOIN "Group" w ON w."id" = a."groupId"
  LEFT JOIN "User" m ON m."id" = a."maintainerId"
  LEFT JOIN "ApplicationLogo" l ON l."applicationId" = a."id"`;

const SHOWN_BY_IDS = statement({
  name: "shown_applications",
  parameters: { ids: integers },
  columns: SHOWN_COLUMNS,
  sql: withList((columns, isIn) => `SELECT ${columns} ${FROM_SHOWN} WHERE ${isIn(`a."id"`, ":ids")}`),
});

/** The columns of the administrators' lists of applications. */
const { registered: _, ...COMMON_COLUMNS } = APPLICATION_COLUMNS;
const LISTED_COLUMNS = {
  ...COMMON_COLUMNS,
  jwksUri: [`a."jwksUri"`, nullable(text)],
  owner: SHOWN_COLUMNS.owner,
  group: SHOWN_COLUMNS.group,
  bot: optional({ id: [`u."id"`, integer], username: [`u."username"`, text] }),
} as const;

/** An application with its owner and its bot, for the administrators' lists of applications. */
export type ListedRow = RowOf<typeof LISTED_COLUMNS>;

const LISTED = `
  "Application" a
  LEFT JOIN "User" o ON o."id" = a."ownerId"
  LEFT JOIN "Group" w ON w."id" = a."groupId"
  LEFT JOIN "ApplicationBot" b ON b."applicationId" = a."id"
  LEFT JOIN "User" u ON u."id" = b."userId"`;

const LISTED_BY_IDS = statement({
  name: "listed_applications",
  parameters: { ids: integers },
  columns: LISTED_COLUMNS,
  sql: withList((columns, isIn) => `SELECT ${columns} FROM ${LISTED} WHERE ${isIn(`a."id"`, ":ids")}`),
});

/** All applications for the administrators' lists, ordered by id. */
export const ALL_LISTED = keysetStatements({
  name: "all_listed_applications",
  parameters: {},
  columns: LISTED_COLUMNS,
  from: () => `${LISTED} WHERE TRUE`,
  id: `a."id"`,
});

/** Returns the applications with these ids for the administrators' lists, in any order. */
export const listedByIds = (reads: Reads, ids: readonly number[]): Eventually<readonly ListedRow[]> =>
  reads.all(LISTED_BY_IDS, { ids });

const ADMINISTRATOR_IDS = statement({
  name: "administrator_ids",
  parameters: { most: integer },
  columns: { id: [`u."id"`, integer] },
  sql: (columns) => `SELECT ${columns} FROM "User" u WHERE u."admin" = TRUE LIMIT :most`,
});

/** Returns the ids of at most `most` administrators. */
export const administratorIds = (
  reads: Reads,
  most: number,
): Eventually<readonly Readonly<{ id: number }>[]> => reads.all(ADMINISTRATOR_IDS, { most });

/** The applications of one owner, newest first. */
export const OF_OWNER = listStatements({
  name: "applications_of_owner",
  parameters: { ownerId: integer },
  from: () => `"Application" r WHERE r."ownerId" = :ownerId`,
  order: `r."id" DESC`,
});

const ALL_SHOWN = statement({
  name: "all_shown_applications",
  parameters: {},
  columns: SHOWN_COLUMNS,
  sql: (columns) => `SELECT ${columns} ${FROM_SHOWN} ORDER BY a."id"`,
});

/** Returns all applications, oldest first. */
export const allShown = (reads: Reads): Eventually<readonly ShownRow[]> => reads.all(ALL_SHOWN, {});

/** Returns the applications with these ids, in any order. */
export const shownByIds = (reads: Reads, ids: readonly number[]): Eventually<readonly ShownRow[]> =>
  reads.all(SHOWN_BY_IDS, { ids });

const NAMES = statement({
  name: "application_names",
  parameters: { ids: integers },
  columns: { id: [`a."id"`, integer], name: [`a."name"`, text] },
  sql: withList((columns, isIn) => `SELECT ${columns} FROM "Application" a WHERE ${isIn(`a."id"`, ":ids")}`),
});

/** Returns the names of the applications with these ids, in any order. */
export const namesByIds = (
  reads: Reads,
  ids: readonly number[],
): Eventually<readonly Readonly<{ id: number; name: string }>[]> => reads.all(NAMES, { ids });

const SHOWN_BY_UID = statement({
  name: "shown_application",
  parameters: { uid: text },
  columns: SHOWN_COLUMNS,
  sql: (columns) => `SELECT ${columns} ${FROM_SHOWN} WHERE a."uid" = :uid`,
});

export const shownByUid = (reads: Reads, uid: string): Eventually<ShownRow | null> =>
  reads.first(SHOWN_BY_UID, { uid });

const NAMES_BY_UIDS = statement({
  name: "application_names_by_uid",
  parameters: { uids: texts },
  columns: { id: [`a."id"`, integer], uid: [`a."uid"`, text], name: [`a."name"`, text] },
  sql: withList(
    (columns, isIn) => `SELECT ${columns} FROM "Application" a WHERE ${isIn(`a."uid"`, ":uids")}`,
  ),
});

/** Returns the names of the applications with these Application IDs, in any order. */
export const namesByUids = (
  reads: Reads,
  uids: readonly string[],
): Eventually<readonly Readonly<{ id: number; uid: string; name: string }>[]> =>
  reads.all(NAMES_BY_UIDS, { uids });

const SECRETS = statement({
  name: "secrets_of_application",
  parameters: { applicationId: integer },
  columns: {
    id: [`s."id"`, integer],
    ending: [`s."ending"`, text],
    createdAt: [`s."createdAt"`, time],
    lastUsedAt: [`s."lastUsedAt"`, nullable(time)],
  },
  sql: (columns) => `
    SELECT ${columns} FROM "ApplicationSecret" s WHERE s."applicationId" = :applicationId ORDER BY s."id"`,
});

/** Returns the secrets of an application, oldest first. */
export const secretsOf = (reads: Reads, applicationId: number): Eventually<readonly ApplicationSecret[]> =>
  reads.all(SECRETS, { applicationId });

/** A user or a group whose applications are listed. */
export type Holder = Readonly<{
  /** `manager` selects the applications that a user owns or maintains. */
  kind: "owner" | "manager" | "group";
  id: number;
}>;

const idsHeldBy = (kind: Holder["kind"], isHeld: string) =>
  statement({
    name: `application_ids_of_${kind}`,
    parameters: { id: integer, most: integer },
    columns: { id: [`a."id"`, integer] },
    sql: (columns) =>
      `SELECT ${columns} FROM "Application" a WHERE ${isHeld} ORDER BY a."id" DESC LIMIT :most`,
  });

const IDS_HELD_BY = {
  owner: idsHeldBy("owner", `a."ownerId" = :id`),
  group: idsHeldBy("group", `a."groupId" = :id`),
  manager: idsHeldBy("manager", `(a."ownerId" = :id OR a."maintainerId" = :id)`),
} as const satisfies Record<Holder["kind"], unknown>;

/** Returns the ids of at most `most` applications of a user or of a group, newest first. */
export const heldIds = (
  reads: Reads,
  { kind, id }: Holder,
  most: number,
): Eventually<readonly Readonly<{ id: number }>[]> => reads.all(IDS_HELD_BY[kind], { id, most });

const LOGO_DIGESTS = statement({
  name: "logo_digests",
  parameters: { ids: integers },
  columns: { id: [`l."applicationId"`, integer], digest: [`l."digest"`, text] },
  sql: withList(
    (columns, isIn) =>
      `SELECT ${columns} FROM "ApplicationLogo" l WHERE ${isIn(`l."applicationId"`, ":ids")}`,
  ),
});

/** Returns the digests of the logos of these applications. */
export const logoDigests = (
  reads: Reads,
  ids: readonly number[],
): Eventually<readonly Readonly<{ id: number; digest: string }>[]> => reads.all(LOGO_DIGESTS, { ids });
