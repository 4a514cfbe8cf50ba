import { isScope } from "@/access/scopes";
import { ASSERTION_METHODS } from "./client-authentication";
import { ownerColumns, ownerFrom } from "./owner";
import { isOwnerBlocked } from "./owner-blocked";
import type { ScopeColumn } from "./row";
import type { ListedApplication } from "./rules";
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

type OwnerRow = Parameters<typeof ownerFrom>[0] & Parameters<typeof isOwnerBlocked>[0];

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

export const listedFrom = ({
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
