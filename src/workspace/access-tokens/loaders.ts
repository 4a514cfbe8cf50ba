import { heldFormOf, requireRecentAuthentication } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import type { Query } from "@/kernel/http/query";
import { offsetLinks, offsetPagingIn } from "@/kernel/paging/links";
import { defaultExpiry } from "@/oauth/personal-access-tokens/rules";
import type { ProjectOrGroup } from "../members/rules";
import { type PageManager, requireTokenManager, settingsPath } from "./page-manager";
import type { AccessTokenDraft } from "./rules";
import { readAccessTokenForm } from "./schema";
import { listAccessTokens } from "./service";

const TOKENS_SHOWN = 20;

/** The path segment of the page with the access tokens, below the settings of a project or group. */
const PAGE = "access_tokens";

/** Returns the path of the page with the access tokens of a project or group. */
export const accessTokensPath = (kind: ProjectOrGroup["kind"], id: string): string =>
  settingsPath(kind, id, PAGE);

/**
 * Returns the project or group in the URL of the page, and the viewer, who must be allowed to manage its
 * access tokens.
 */
export const requireManager = (
  kind: ProjectOrGroup["kind"],
  id: string,
  rest: "" | "/new" = "",
): Promise<PageManager> => requireTokenManager(kind, id, PAGE, rest);

/** Loads a page of the access tokens that are not revoked, newest first. */
export async function loadAccessTokens(kind: ProjectOrGroup["kind"], id: string, query: Query) {
  const { resource, url } = await requireManager(kind, id);
  const deps = systemDeps();
  const paging = offsetPagingIn(query, TOKENS_SHOWN);
  const { rows, total } = await listAccessTokens(deps, resource, { active: null, revoked: false }, paging);
  const now = deps.clock();
  return {
    resource,
    tokens: rows,
    now,
    expiry: defaultExpiry(now),
    url,
    pager: offsetLinks(paging, { rows, total }, url),
  };
}

/**
 * Returns the initial values of the access token form: the values that were submitted before a
 * re-authentication, or suggested values. The page requires a recent re-authentication.
 */
export async function loadNewAccessToken(kind: ProjectOrGroup["kind"], id: string) {
  const { resource, held, url } = await requireManager(kind, id, "/new");
  await requireRecentAuthentication(`${url}/new`);
  const form = await heldFormOf(`${url}/new`);
  const draft: AccessTokenDraft =
    form === null
      ? { name: "", scopes: [], expiresAt: defaultExpiry(systemDeps().clock()), role: "developer" }
      : readAccessTokenForm(form);
  return { resource: { kind: resource.kind, id: resource.id }, held, url, draft };
}
