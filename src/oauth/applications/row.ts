import { isScope } from "@/access/scopes";
import type { BackchannelLogout } from "./backchannel-logout";
import { ASSERTION_METHODS } from "./client-authentication";
import { logoUrl } from "./logo-url";
import { ownerFrom } from "./owner";
import type { Application, ApplicationInput, ShownApplication } from "./rules";
import type { ClientRow, ShownRow } from "./store.sql";
import { type TokenOptions, tokenOptionsFrom } from "./token-options";

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

/** Converts a row of a typed statement. */
export const shownFrom = ({ owner, group, maintainer, logo, ...row }: ShownRow): ShownApplication => ({
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
