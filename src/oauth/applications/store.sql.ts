import { flag, integer, nullable, text, time } from "@/kernel/db/column-types";
import { derivedFrom } from "@/kernel/db/derived";
import type { Prepared } from "@/kernel/db/prepared";
import { type RowOf, statement } from "@/kernel/db/statement";
import { OWNER_BLOCKED } from "./owner-blocked";

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
