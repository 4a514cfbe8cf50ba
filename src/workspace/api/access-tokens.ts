import { z } from "zod";
import { roleOf } from "@/access/roles";
import { badRequest, forbidden, methodNotAllowed, notFound, unacceptable } from "@/http-api/errors";
import { accessLevel, flag, id, text, words } from "@/http-api/fields";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import { dayAfter, PERSONAL_TOKEN_SCOPES } from "@/oauth/personal-access-tokens/rules";
import { endReusedFamily } from "@/oauth/personal-access-tokens/service";
import type { AccessToken, AccessTokenProblems } from "@/workspace/access-tokens/rules";
import * as tokens from "@/workspace/access-tokens/service";
import { type InResource, managerOf } from "./managed-resource";

export const accessTokenSearch = z.object({
  state: z.enum(["active", "inactive"]).optional(),
  revoked: flag.optional(),
});

/** Returns a page of the access tokens of a project or a group, newest first. */
export const listAccessTokens = (
  deps: Deps,
  context: InResource,
  { state, revoked }: z.infer<typeof accessTokenSearch>,
  paging: Paging,
): Promise<Page<AccessToken>> =>
  tokens.listAccessTokens(
    deps,
    managerOf(context).resource,
    { active: state === undefined ? null : state === "active", revoked: revoked ?? null },
    paging,
  );

export const accessTokenReference = z.object({ token_id: id });
type Reference = z.infer<typeof accessTokenReference>;

/** Returns an access token. @throws ApiError 404 when the project or group has no such token. */
export async function readAccessToken(
  deps: Deps,
  context: InResource,
  { token_id }: Reference,
): Promise<AccessToken> {
  const { resource } = managerOf(context);
  const token = await tokens.findAccessToken(deps, resource, token_id);
  if (token === null)
    throw notFound(`Could not find ${resource.kind} access token with token_id: ${token_id}`);
  return token;
}

const day = z.iso.date().nullish();

export const newAccessTokenInput = z.object({
  name: text(255),
  scopes: words
    .pipe(z.array(z.enum(PERSONAL_TOKEN_SCOPES)).min(1))
    .meta({ type: "array", items: { type: "string", enum: [...PERSONAL_TOKEN_SCOPES] } }),
  access_level: accessLevel.optional().describe("The role of the token. The default is 40 (Maintainer)."),
  expires_at: day.describe("The expiration date, in UTC. The default and the maximum are 365 days from now."),
});

/**
 * Creates an access token.
 * @throws ApiError 400 for invalid values, 403 for a bot, which cannot create tokens.
 */
export async function createAccessToken(
  deps: Deps,
  context: InResource,
  { name, scopes, access_level = 40, expires_at }: z.infer<typeof newAccessTokenInput>,
): Promise<tokens.CreatedAccessToken> {
  const role = roleOf([access_level]) ?? "guest";
  const draft = { name, scopes, role, expiresAt: expires_at ?? null };
  const outcome = await tokens.createAccessToken(deps, managerOf(context), draft);
  if (outcome === "not_allowed") throw forbidden();
  if ("problems" in outcome) throw unacceptable(problemsOf(outcome.problems));
  return outcome;
}

/** Returns the error texts of the form, with the names of the API parameters as keys. */
const problemsOf = ({ expiresAt, role, ...problems }: AccessTokenProblems) => ({
  ...problems,
  ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
  ...(role === undefined ? {} : { access_level: role }),
});

/**
 * Revokes an access token. The call also succeeds for a token that is already revoked.
 * @throws ApiError 404 if the project or group has no such token.
 */
export async function revokeAccessToken(
  deps: Deps,
  context: InResource,
  reference: Reference,
): Promise<null> {
  const token = await readAccessToken(deps, context, reference);
  const outcome = await tokens.revokeAccessToken(deps, managerOf(context), token);
  if (outcome === "not_allowed") throw forbidden();
  return null;
}

export const ownAccessTokenRotation = z.object({
  expires_at: day.describe(
    "The expiration date of the new token, in UTC, at most 365 days from now. The default is one week from now.",
  ),
});
export const accessTokenRotation = ownAccessTokenRotation.extend({ token_id: id });

/**
 * Rotates an access token.
 * @throws ApiError 400 for a revoked token or an invalid date, 403 if the role of the token is higher than
 * the role of the caller, 404 if the project or group has no such token.
 */
export const rotateAccessToken = async (
  deps: Deps,
  context: InResource,
  { token_id, expires_at }: z.infer<typeof accessTokenRotation>,
): Promise<tokens.CreatedAccessToken> =>
  rotated(deps, context, await readAccessToken(deps, context, { token_id }), expires_at);

/**
 * Rotates the access token that authenticates the request.
 * @throws ApiError 405 for a token that is not an access token of this project or group.
 */
export async function rotateOwnAccessToken(
  deps: Deps,
  context: InResource,
  { expires_at }: z.infer<typeof ownAccessTokenRotation>,
): Promise<tokens.CreatedAccessToken> {
  const { resource, by } = managerOf(context);
  const { kind, id } = context.caller.token;
  const isOwn = kind === "personal" && by.kind === "access_token_bot";
  const token = isOwn ? await tokens.findAccessToken(deps, resource, id) : null;
  if (token === null) throw methodNotAllowed();
  return rotated(deps, context, token, expires_at);
}

const ROTATED_DAYS = 7;

async function rotated(
  deps: Deps,
  context: InResource,
  token: AccessToken,
  expiresAt: string | null | undefined,
): Promise<tokens.CreatedAccessToken> {
  if (token.revokedAt !== null) {
    await endReusedFamily(deps, token);
    throw badRequest("Token already revoked");
  }
  const day = expiresAt ?? dayAfter(deps.clock(), ROTATED_DAYS);
  const outcome = await tokens.rotateAccessToken(deps, managerOf(context), token, day);
  if (outcome === null) throw badRequest("Token already revoked");
  if (outcome === "not_allowed") throw forbidden();
  if ("problems" in outcome) throw badRequest(Object.values(outcome.problems).flat().join(" "));
  return outcome;
}
