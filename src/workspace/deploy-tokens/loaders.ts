import { heldFormOf, requireRecentAuthentication } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import type { Query } from "@/kernel/http/query";
import { offsetLinks, offsetPagingIn } from "@/kernel/paging/links";
import { type PageManager, requireTokenManager, settingsPath } from "../access-tokens/page-manager";
import type { ProjectOrGroup } from "../members/rules";
import type { DeployTokenDraft } from "./rules";
import { readDeployTokenForm } from "./schema";
import { listDeployTokens } from "./service";

const TOKENS_SHOWN = 20;

/** The path segment of the page with the deploy tokens, below the settings of a project or group. */
const PAGE = "deploy_tokens";

/** Returns the path of the page with the deploy tokens of a project or group. */
export const deployTokensPath = (kind: ProjectOrGroup["kind"], id: string): string =>
  settingsPath(kind, id, PAGE);

/**
 * Returns the project or group in the URL of the page, and the viewer, who must be allowed to manage its
 * deploy tokens.
 */
export const requireManager = (
  kind: ProjectOrGroup["kind"],
  id: string,
  rest: "" | "/new" = "",
): Promise<PageManager> => requireTokenManager(kind, id, PAGE, rest);

/** Loads a page of the deploy tokens, newest first. */
export async function loadDeployTokens(kind: ProjectOrGroup["kind"], id: string, query: Query) {
  const { resource, url } = await requireManager(kind, id);
  const deps = systemDeps();
  const paging = offsetPagingIn(query, TOKENS_SHOWN);
  const { rows, total } = await listDeployTokens(deps, resource, null, paging);
  const pager = offsetLinks(paging, { rows, total }, url);
  return { resource, tokens: rows, now: deps.clock(), url, pager };
}

const EMPTY: DeployTokenDraft = { name: "", username: "", scopes: [], expiresAt: null };

/**
 * Returns the initial values of the deploy token form: the values that were submitted before a
 * re-authentication, or empty values. The page requires a recent re-authentication.
 */
export async function loadNewDeployToken(kind: ProjectOrGroup["kind"], id: string) {
  const { resource, url } = await requireManager(kind, id, "/new");
  await requireRecentAuthentication(`${url}/new`);
  const form = await heldFormOf(`${url}/new`);
  const draft = form === null ? EMPTY : readDeployTokenForm(form);
  return { resource: { kind: resource.kind, id: resource.id }, url, draft };
}
