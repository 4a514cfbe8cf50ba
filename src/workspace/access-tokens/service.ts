import { isBot } from "@/access/principal";
import { createBot } from "@/identity/users/bot-users";
import { shownNameProblem } from "@/identity/users/rules";
import * as audit from "@/instance/audit/service";
import { NAMED_MAX, named } from "@/kernel/db/conditions";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import { type PersonalToken, validatePersonalToken } from "@/oauth/personal-access-tokens/rules";
import * as tokens from "@/oauth/personal-access-tokens/service";
import type { ProjectOrGroup } from "../members/rules";
import { addBot, directRoles, removeBot } from "../members/service";
import { lockManager } from "./manager-lock";
import {
  type AccessToken,
  type AccessTokenDraft,
  type AccessTokenProblems,
  type Manager,
  mayManageTokens,
  mayReceiveToken,
} from "./rules";
import * as store from "./store";
import * as sql from "./store.sql";

/** A new access token. `value` is the token in plain text, which is shown once and not stored. */
export type CreatedAccessToken = Readonly<{ token: AccessToken; value: string }>;

/** A filter for access tokens. If `active` or `revoked` is null, the filter ignores this property. */
export type AccessTokenFilter = Readonly<{ active: boolean | null; revoked: boolean | null }>;

/** Returns a page of the access tokens of a project or a group, newest first. */
export async function listAccessTokens(
  deps: Deps,
  resource: ProjectOrGroup,
  { active, revoked }: AccessTokenFilter,
  paging: Paging,
): Promise<Page<AccessToken>> {
  const botIds = await (active === null
    ? sql.botIds(deps.reads, resource, NAMED_MAX + 1)
    : store.botIds(deps.db, resource));
  const validUserIds = active === null ? undefined : [...(await tokens.botsWithRight(deps, botIds))];
  const namedIds = named(botIds);
  const filter = {
    userId: null,
    ...(namedIds === null ? { botsOf: store.botsOf(resource) } : { userIds: namedIds }),
    validUserIds,
    search: null,
    active,
    revoked,
  };
  const page = await tokens.listPersonalTokens(deps, filter, paging);
  return { ...page, rows: await withRights(deps, resource, page.rows) };
}

/** Returns an access token of this project or group, in any state; null for an unknown id. */
export async function findAccessToken(
  deps: Deps,
  resource: ProjectOrGroup,
  id: number,
): Promise<AccessToken | null> {
  const token = await tokens.personalTokenById(deps, id);
  if (token === null || !(await sql.isBotOf(deps.reads, resource, token.userId))) return null;
  return withRight(deps, resource, token);
}

async function withRights(
  deps: Deps,
  resource: ProjectOrGroup,
  rows: readonly PersonalToken[],
): Promise<readonly AccessToken[]> {
  if (rows.length === 0) return [];
  const userIds = [...new Set(rows.map(({ userId }) => userId))];
  const [roles, valid] = await Promise.all([
    directRoles(deps, resource, userIds),
    tokens.botsWithRight(deps, userIds),
  ]);
  return rows.map((token) => ({
    ...token,
    role: roles.get(token.userId) ?? null,
    isRightValid: valid.has(token.userId),
  }));
}

async function withRight(deps: Deps, resource: ProjectOrGroup, token: PersonalToken): Promise<AccessToken> {
  const [first] = await withRights(deps, resource, [token]);
  return first ?? { ...token, role: null, isRightValid: false };
}

/**
 * Creates an access token with its own bot, which becomes a member with the role in `draft`. The token is
 * valid while its creator still has the right to create it.
 */
export async function createAccessToken(
  deps: Deps,
  manager: Manager,
  draft: AccessTokenDraft,
): Promise<CreatedAccessToken | Readonly<{ problems: AccessTokenProblems }> | "not_allowed"> {
  const { by } = manager;
  if (!mayManageTokens(manager) || isBot(by)) return "not_allowed";
  const validation = validatePersonalToken(draft, deps.clock());
  const nameProblem = shownNameProblem(draft.name);
  const problems: AccessTokenProblems = {
    ...("problems" in validation ? validation.problems : {}),
    ...(nameProblem === null ? {} : { name: [`The name ${nameProblem}.`] }),
    ...(mayReceiveToken(manager, draft.role)
      ? {}
      : { role: ["Select a role that is not higher than your own."] }),
  };
  if ("problems" in validation || Object.keys(problems).length > 0) return { problems };
  const { input } = validation;
  return deps.transaction(async (within) => {
    const current = await lockManager(within, manager);
    if (current === null || !mayReceiveToken(current, draft.role)) return "not_allowed";
    const { resource } = current;
    const username = `${resource.kind}_${resource.id}_bot_${Buffer.from(within.randomBytes(16)).toString("hex")}`;
    const bot = await createBot(within, { kind: "access_token_bot", username, name: input.name });
    await store.insert(within.db, resource, { userId: bot.id, creatorId: by.id });
    await addBot(within, resource, bot.id, draft.role);
    const details = { ...placeOf(resource), role: draft.role, scopes: input.scopes };
    await audit.record(within, "access_token.created", details, { userId: bot.id, actorId: by.id });
    const { token, value } = await tokens.insertPersonalToken(
      within,
      { userId: bot.id, familyId: null },
      input,
    );
    return { token: { ...token, role: draft.role, isRightValid: true }, value };
  });
}

/**
 * Replaces an access token with a new token of the same name, scopes and role. The old token stops working
 * immediately. The new token is valid only while the user who rotates the token has the right to create it. A
 * bot may rotate only its own token.
 * @param expiresAt the expiration date as `YYYY-MM-DD`; null for the latest allowed date.
 * @returns null if the old token is revoked or its bot is no longer a member.
 */
export async function rotateAccessToken(
  deps: Deps,
  manager: Manager,
  token: AccessToken,
  expiresAt: string | null,
): Promise<CreatedAccessToken | Readonly<{ problems: AccessTokenProblems }> | "not_allowed" | null> {
  const { resource, by } = manager;
  if (token.role === null) return null;
  const isOwn = by.id === token.userId;
  if (!isOwn && !mayReceiveToken(manager, token.role)) return "not_allowed";
  return deps.transaction(async (within) => {
    const rotated = await tokens.rotatePersonalToken(within, token, expiresAt, by);
    if (rotated === null || "problems" in rotated) return rotated;
    if (!isOwn) await store.setCreator(within.db, token.userId, by.id);
    return { token: await withRight(within, resource, rotated.token), value: rotated.value };
  });
}

/**
 * Revokes an access token and removes its bot from the members.
 * @returns whether the token was active; `not_allowed` for a user who may not manage access tokens.
 */
export async function revokeAccessToken(
  deps: Deps,
  manager: Manager,
  token: PersonalToken,
): Promise<boolean | "not_allowed"> {
  const { resource, by } = manager;
  if (!mayManageTokens(manager) && by.id !== token.userId) return "not_allowed";
  return deps.transaction(async (within) => {
    if (!(await tokens.revokePersonalToken(within, token, by))) return false;
    await removeBot(within, resource, token.userId);
    return true;
  });
}

const placeOf = ({ kind, id, fullPath }: ProjectOrGroup) => ({ kind, id, path: fullPath });
