import { flag, integer, nullable, text, time } from "@/kernel/db/column-types";
import type { PostgresqlSession, SqliteSession } from "@/kernel/db/prepared";
import { statement } from "@/kernel/db/statement";
import type { NewFamily, NewOauthToken } from "./store";

/** The statement that inserts the tokens of a new grant or of a rotation. */
export const INSERT_TOKEN = statement({
  name: "insert_token",
  parameters: {
    familyId: integer,
    accessDigest: text,
    refreshDigest: nullable(text),
    applicationId: nullable(integer),
    userId: integer,
    scopes: text,
    now: time,
    expiresAt: nullable(time),
    refreshExpiresAt: nullable(time),
    endsAt: nullable(time),
    dpopJkt: nullable(text),
  },
  columns: {},
  sql: () => `
    INSERT INTO "OauthToken" ("familyId", "accessDigest", "refreshDigest", "applicationId", "userId", "scopes",
                              "createdAt", "expiresAt", "refreshExpiresAt", "endsAt", "dpopJkt")
    VALUES (:familyId, :accessDigest, :refreshDigest, :applicationId, :userId, :scopes,
            :now, :expiresAt, :refreshExpiresAt, :endsAt, :dpopJkt)`,
});

const INSERT_FAMILY = statement({
  name: "insert_family",
  parameters: {
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
  },
  columns: { id: [`"id"`, integer] },
  sql: (columns) => `
    INSERT INTO "TokenFamily" ("applicationId", "userId", "grantType", "scopes", "redirectUri", "codeChallenge",
                               "resource", "authTime", "acr", "amr", "sid", "offlineAccess", "authorizationCodeId",
                               "createdAt", "rotations")
    VALUES (:applicationId, :userId, :grantType, :scopes, :redirectUri, :codeChallenge,
            :resource, :authTime, :acr, :amr, :sid, :offlineAccess, :authorizationCodeId, :createdAt, 0)
    RETURNING ${columns}`,
});

/** The rows of a new grant: a token family and its first tokens. */
export type GrantRows = Readonly<{ family: NewFamily; token: Omit<NewOauthToken, "familyId"> }>;

/**
 * Inserts the rows of a grant, in the transaction of the write that claims the grant.
 * @returns the id of the token family.
 */
export const insertGrant = {
  sqlite: (session: SqliteSession, { family, token }: GrantRows): number => {
    const familyId = idOf(session.first(INSERT_FAMILY, family));
    session.run(INSERT_TOKEN, { ...token, now: token.createdAt, familyId });
    return familyId;
  },
  postgresql: async (session: PostgresqlSession, { family, token }: GrantRows): Promise<number> => {
    const [inserted] = await session.all(INSERT_FAMILY, family);
    const familyId = idOf(inserted);
    await session.run(INSERT_TOKEN, { ...token, now: token.createdAt, familyId });
    return familyId;
  },
};

function idOf(inserted: Readonly<{ id: number }> | null | undefined): number {
  if (!inserted) throw new Error("The database returned no id for an inserted token family.");
  return inserted.id;
}
