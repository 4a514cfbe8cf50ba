import { flag, integer, nullable, text, time } from "@/kernel/db/column-types";
import type { SqliteSession } from "@/kernel/db/prepared";
import { statement } from "@/kernel/db/statement";
import type { NewFamily, NewOauthToken } from "./store";

/** The parameters of `insertTokenSql`. */
export const TOKEN_PARAMETERS = {
  familyId: integer,
  accessDigest: text,
  refreshDigest: nullable(text),
  applicationId: nullable(integer),
  userId: integer,
  scopes: text,
  createdAt: time,
  expiresAt: nullable(time),
  refreshExpiresAt: nullable(time),
  endsAt: nullable(time),
  dpopJkt: nullable(text),
} as const;

const FAMILY_PARAMETERS = {
  applicationId: nullable(integer),
  userId: integer,
  grantType: text,
  scopes: text,
  redirectUri: nullable(text),
  codeChallenge: nullable(text),
  resource: nullable(text),
  authTime: nullable(time),
  acr: nullable(text),
  amr: nullable(text),
  sid: nullable(text),
  offlineAccess: flag,
  authorizationCodeId: nullable(integer),
  createdAt: time,
} as const;

/**
 * Returns the values of an INSERT statement.
 * @param from the FROM clause that selects the source of the row; if the clause is empty, the statement
 * inserts one row. For a statement with SELECT, SQLite copies each page before the first change of the page,
 * because SQLite expects several rows.
 */
const inserted = (values: string, from: string): string =>
  from === "" ? `VALUES (${values})` : `SELECT ${values} ${from}`;

/**
 * Returns the SQL that inserts the tokens of a new grant or of a rotation.
 * @param familyId the SQL expression for the id of the token family.
 * @param from the FROM clause, as in `inserted`.
 */
export const insertTokenSql = (familyId: string, from = ""): string => `
  INSERT INTO "OauthToken" ("familyId", "accessDigest", "refreshDigest", "applicationId", "userId", "scopes",
                            "createdAt", "expiresAt", "refreshExpiresAt", "endsAt", "dpopJkt")
  ${inserted(
    `${familyId}, :accessDigest, :refreshDigest, :applicationId, :userId, :scopes,
     :createdAt, :expiresAt, :refreshExpiresAt, :endsAt, :dpopJkt`,
    from,
  )}`;

/**
 * Returns the SQL that inserts a token family.
 * @param from the FROM clause, as in `inserted`.
 */
const insertFamilySql = (from = ""): string => `
  INSERT INTO "TokenFamily" ("applicationId", "userId", "grantType", "scopes", "redirectUri", "codeChallenge",
                             "resource", "authTime", "acr", "amr", "sid", "offlineAccess", "authorizationCodeId",
                             "createdAt", "rotations")
  ${inserted(
    `:applicationId, :userId, :grantType, :scopes, :redirectUri, :codeChallenge,
     :resource, :authTime, :acr, :amr, :sid, :offlineAccess, :authorizationCodeId, :createdAt, 0`,
    from,
  )}`;

/** Inserts the tokens of a new grant or of a rotation. */
export const INSERT_TOKEN = statement({
  name: "insert_token",
  parameters: TOKEN_PARAMETERS,
  columns: {},
  sql: () => insertTokenSql(":familyId"),
});

const INSERT_FAMILY = statement({
  name: "insert_family",
  parameters: FAMILY_PARAMETERS,
  columns: { id: [`"id"`, integer] },
  sql: (columns) => `${insertFamilySql()} RETURNING ${columns}`,
});

const { familyId: _familyId, ...TOKEN_OF_GRANT } = TOKEN_PARAMETERS;
/**
 * The parameters of `insertGrantSql`. Both rows of a grant (the token family and its first tokens) have the
 * same user, application, scopes and time.
 */
export const GRANT_PARAMETERS = { ...FAMILY_PARAMETERS, ...TOKEN_OF_GRANT } as const;

/**
 * Returns the queries of a WITH clause that insert both rows of a grant on PostgreSQL: the token family and
 * its first tokens. One statement with both queries needs one round trip to the server instead of four. The
 * query `grant_family` contains the id of the token family.
 * @param from the FROM clause that selects the source of the rows, such as an authorization code that was
 * marked as used; if the clause is empty, the queries insert one grant.
 */
export const insertGrantSql = (from = ""): string => `
  "grant_family" AS (${insertFamilySql(from)} RETURNING "id"),
  "grant_token" AS (${insertTokenSql(`"id"`, 'FROM "grant_family"')})`;

/** The rows of a new grant: a token family and its first tokens. */
export type GrantRows = Readonly<{ family: NewFamily; token: Omit<NewOauthToken, "familyId"> }>;

/**
 * Inserts the rows of a grant on SQLite, in the transaction that `session` contains.
 * @returns the id of the token family.
 */
export function insertGrant(session: SqliteSession, { family, token }: GrantRows): number {
  const inserted = session.first(INSERT_FAMILY, family);
  if (inserted === null) throw new Error("The database returned no id for an inserted token family.");
  session.run(INSERT_TOKEN, { ...token, familyId: inserted.id });
  return inserted.id;
}
