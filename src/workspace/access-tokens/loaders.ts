import type { Role } from "@/access/roles";
import { heldFormOf, requireRecentAuthentication } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import type { Query } from "@/kernel/paging/keyset";
import { pageIn, pagesBeside } from "@/kernel/paging/page-number";
import { defaultExpiry } from "@/oauth/personal-access-tokens/rules";
import { GROUPS, requireGroup } from "../groups/loaders";
import { resourceOf as resourceOfGroup } from "../groups/service";
import type { ProjectOrGroup } from "../members/rules";
import { PROJECTS, requireProject } from "../projects/loaders";
import { resourceOf as resourceOfProject } from "../projects/service";
import type { AccessTokenDraft, Manager } from "./rules";
import { readAccessTokenForm } from "./schema";
import { listAccessTokens } from "./service";

const TOKENS_SHOWN = 20;

/** A manager of access tokens, and the path of the page with the list. */
export type PageManager = Manager & Readonly<{ held: Role; url: string }>;

/** Returns the path of the page with the access tokens. @param home the path of the project or group. */
const listPath = (home: string): string => `${home}/settings/access_tokens`;

/** Returns the path of the page with the access tokens of a project or group. */
export const accessTokensPath = (kind: ProjectOrGroup["kind"], id: string): string =>
  listPath(`${kind === "group" ? GROUPS : PROJECTS}/${encodeURIComponent(id)}`);

/**
 * Returns the project or group of the page, and the viewer, who must be allowed to manage its access tokens.
 * @param page the rest of the path of the page.
 */
export async function requireManager(
  kind: ProjectOrGroup["kind"],
  id: string,
  page: "" | "/new" = "",
): Promise<PageManager> {
  const path = (home: string) => `${listPath(home)}${page}`;
  if (kind === "group") {
    const { group, session } = await requireGroup(id, path, "owner");
    const url = accessTokensPath(kind, String(group.id));
    return { resource: resourceOfGroup(group), by: session.user, held: group.role ?? "owner", url };
  }
  const { project, session } = await requireProject(id, path, "maintainer");
  const url = accessTokensPath(kind, String(project.id));
  return { resource: resourceOfProject(project), by: session.user, held: project.role ?? "maintainer", url };
}

/** Loads a page of the access tokens that are not revoked, newest first. */
export async function loadAccessTokens(kind: ProjectOrGroup["kind"], id: string, query: Query) {
  const { resource, url } = await requireManager(kind, id);
  const deps = systemDeps();
  const page = pageIn(query);
  const paging = { kind: "offset", page, perPage: TOKENS_SHOWN } as const;
  const { rows, total } = await listAccessTokens(deps, resource, { active: null, revoked: false }, paging);
  const now = deps.clock();
  return {
    resource,
    tokens: rows,
    now,
    expiry: defaultExpiry(now),
    url,
    pager: pagesBeside({ page, perPage: TOKENS_SHOWN, shown: rows.length, total }, url, {}),
  };
}

/**
 * Returns the initial values of the form: the values that were submitted before a re-authentication, or a suggestion.
 * The page requires a recent re-authentication.
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
