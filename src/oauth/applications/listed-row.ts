import { isScope } from "@/access/scopes";
import { ASSERTION_METHODS } from "./client-authentication";
import { ownerColumns, ownerFrom } from "./owner";
import { isOwnerBlocked } from "./owner-blocked";
import type { ScopeColumn } from "./row";
import type { ListedApplication } from "./rules";
import type { ListedByIdRow } from "./store.sql";
import { type TokenOptions, tokenOptionsFrom } from "./token-options";

export const listedColumns = {
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

type CommonRow = Omit<
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
  Parameters<typeof ownerFrom>[0] &
  Readonly<Record<"redirectUris" | ScopeColumn | keyof TokenOptions, string>> &
  Readonly<{
    authMethod: string | null;
    backchannelLogoutUri: string | null;
    backchannelLogoutSessionRequired: boolean;
  }>;

type ListedRow = CommonRow &
  Parameters<typeof isOwnerBlocked>[0] &
  Readonly<{ bot: Readonly<{ user: Readonly<{ id: number; username: string }> }> | null }>;

const listedWith = <Row extends CommonRow>({
  owner,
  group,
  idTokenAlgorithm,
  accessTokenFormat,
  backchannelLogoutUri: uri,
  backchannelLogoutSessionRequired: sessionRequired,
  ...row
}: Row) => ({
  ...row,
  authMethod: ASSERTION_METHODS.find((method) => method === row.authMethod) ?? null,
  tokens: tokenOptionsFrom({ idTokenAlgorithm, accessTokenFormat }),
  backchannelLogout: { uri, sessionRequired },
  clientCredentialsScopes: row.clientCredentialsScopes.split(" ").filter(isScope),
  owner: ownerFrom({ owner, group }),
  redirectUris: row.redirectUris.split("\n"),
  scopes: row.scopes.split(" "),
});

/** Converts a row of a query with `listedColumns`. */
export const listedFrom = ({ bot, ...row }: ListedRow): ListedApplication => ({
  ...listedWith(row),
  bot: bot?.user ?? null,
  ownerBlocked: isOwnerBlocked(row),
});

/** Converts a row of a typed statement. */
export const listedFromRow = (row: ListedByIdRow): ListedApplication => listedWith(row);
