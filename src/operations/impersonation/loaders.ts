import { notFound } from "next/navigation";
import { isBot, type User } from "@/access/principal";
import { heldFormOf, requireAdmin, requireRecentAuthentication } from "@/identity/sessions/loaders";
import { findById } from "@/identity/users/service";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, readId } from "@/kernel/http/query";
import { offsetLinks, offsetPagingIn } from "@/kernel/paging/links";
import { listImpersonationTokens } from "@/oauth/personal-access-tokens/impersonation";
import { defaultExpiry } from "@/oauth/personal-access-tokens/rules";
import { readPersonalTokenForm } from "@/oauth/personal-access-tokens/schema";
import { USERS } from "../administration/loaders";

const TOKENS_SHOWN = 20;

/** Returns the path of the page with the impersonation tokens of a user. */
export const impersonationPath = (userId: string): string =>
  `${USERS}/${encodeURIComponent(userId)}/impersonation_tokens`;

/** Returns the administrator who views the page, and the impersonated user. Bots cannot be impersonated. */
export async function requireImpersonated(
  id: string,
  rest: "" | "/new" = "",
): Promise<Readonly<{ by: User; owner: User; url: string }>> {
  const session = await requireAdmin(`${impersonationPath(id)}${rest}`);
  const userId = readId(id);
  const owner = userId === null ? null : await findById(systemDeps(), userId);
  if (owner === null || isBot(owner)) notFound();
  return { by: session.user, owner, url: impersonationPath(String(owner.id)) };
}

/** Loads a page of the impersonation tokens of a user, newest first. Revoked tokens are omitted. */
export async function loadImpersonationTokens(id: string, query: Query) {
  const { owner, url } = await requireImpersonated(id);
  const deps = systemDeps();
  const paging = offsetPagingIn(query, TOKENS_SHOWN);
  const filter = { active: null, revoked: false };
  const { rows, total } = await listImpersonationTokens(deps, owner.id, filter, paging);
  const pager = offsetLinks(paging, { rows, total }, url);
  const now = deps.clock();
  return { owner, tokens: rows, now, expiry: defaultExpiry(now), url, pager };
}

/**
 * Returns the initial values of the form that creates an impersonation token: the values that the
 * administrator submitted before a re-authentication, or suggested values. The page requires a recent
 * authentication.
 */
export async function loadNewImpersonationToken(id: string) {
  const { owner, url } = await requireImpersonated(id, "/new");
  await requireRecentAuthentication(`${url}/new`);
  const form = await heldFormOf(`${url}/new`);
  const expiresAt = defaultExpiry(systemDeps().clock());
  const draft = form === null ? { name: "", scopes: [], expiresAt } : readPersonalTokenForm(form);
  return { owner, url, draft };
}
