import { isScope } from "@/access/scopes";
import type { BackchannelLogout } from "./backchannel-logout";
import { ASSERTION_METHODS } from "./client-authentication";
import { logoUrl } from "./logo-url";
import { ownerColumns, ownerFrom } from "./owner";
import { isOwnerBlocked } from "./owner-blocked";
import type { Application, ApplicationInput, NamedUser, ShownApplication } from "./rules";
import type { ClientRow, ShownRow } from "./store.sql";
import { type TokenOptions, tokenOptionsFrom } from "./token-options";

export const columns = {
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

export type ScopeColumn = "scopes" | "clientCredentialsScopes";

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

export type OwnerRow = Parameters<typeof ownerFrom>[0] & Parameters<typeof isOwnerBlocked>[0];

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

export const shownFrom = ({ logo, owner, group, maintainer, ...row }: Row): ShownApplication => ({
  ...applicationFrom({
    ...row,
    registered: owner !== null || group !== null,
    ownerBlocked: isOwnerBlocked({ trusted: row.trusted, owner, group }),
  }),
  owner: ownerFrom({ owner, group }),
  maintainer,
  logo: logo && logoUrl(row.id, logo.digest),
});

/** Converts a row of a typed statement. */
export const shownFromRow = ({ owner, group, maintainer, logo, ...row }: ShownRow): ShownApplication => ({
  ...applicationFrom(row),
  owner: ownerFrom({ owner, group }),
  maintainer,
  logo: logo && logoUrl(row.id, logo),
});

export const columnsOf = (input: ApplicationInput) => ({
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

export const logoutColumnsOf = (logout: BackchannelLogout | undefined) =>
  logout && {
    backchannelLogoutUri: logout.uri,
    backchannelLogoutSessionRequired: logout.sessionRequired,
  };

/** Converts a row of the query for client authentication to an application with its secrets. */
export const clientFrom = ({ application, ...row }: ClientRow) => ({
  ...row,
  application: applicationFrom(application) satisfies Application,
});
