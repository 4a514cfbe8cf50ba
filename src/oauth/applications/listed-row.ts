import { isScope } from "@/access/scopes";
import { ASSERTION_METHODS } from "./client-authentication";
import { ownerFrom } from "./owner";
import type { ListedApplication } from "./rules";
import type { ListedRow } from "./store.sql";
import { tokenOptionsFrom } from "./token-options";

/** Converts a row of the administrators' lists of applications. */
export const listedFrom = ({
  owner,
  group,
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
  owner: ownerFrom({ owner, group }),
  redirectUris: row.redirectUris.split("\n"),
  scopes: row.scopes.split(" "),
});
