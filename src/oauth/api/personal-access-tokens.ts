import { z } from "zod";
import { isBot, type Principal } from "@/access/principal";
import { badRequest, invalidToken, notFound, unacceptable, unauthorized } from "@/http-api/errors";
import { flag, id, text, words } from "@/http-api/fields";
import * as users from "@/identity/users/service";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import { dayAfter, PERSONAL_TOKEN_SCOPES, type PersonalToken } from "@/oauth/personal-access-tokens/rules";
import {
  type CreatedPersonalToken,
  createPersonalToken,
  endReusedFamily,
  listPersonalTokens,
  lockLiveToken,
  personalTokenById,
  revokePersonalToken,
  rotatePersonalToken,
} from "@/oauth/personal-access-tokens/service";

export const tokenSearch = z.object({
  state: z.enum(["active", "inactive"]).optional(),
  revoked: flag.optional(),
  search: text(255).optional().describe("Returns only tokens whose name contains this text."),
  user_id: id
    .optional()
    .describe("The owner of the tokens. Only administrators can list the tokens of other users."),
});

/**
 * Returns a page of personal access tokens. A user gets the user's own tokens. An administrator gets the
 * tokens of all users or of one user.
 * @throws ApiError 401 when a user who is not an administrator requests the tokens of another user.
 */
export async function listTokens(
  deps: Deps,
  { user }: Principal,
  { state, revoked, search, user_id }: z.infer<typeof tokenSearch>,
  paging: Paging,
): Promise<Page<PersonalToken>> {
  if (!user.admin && user_id !== undefined && user_id !== user.id) throw unauthorized();
  const filter = {
    userId: user_id ?? (user.admin ? null : user.id),
    search: search || null,
    active: state === undefined ? null : state === "active",
    revoked: revoked ?? null,
  };
  return listPersonalTokens(deps, filter, paging);
}

export const tokenReference = z.object({ id });
type Reference = z.infer<typeof tokenReference>;

/**
 * Returns the personal access token with this id.
 * @throws ApiError for a token that does not exist, and for a token of another user. The status of the error
 * is 404 for an administrator, and 401 for every other user.
 */
export async function readToken(deps: Deps, { user }: Principal, { id }: Reference): Promise<PersonalToken> {
  const token = await personalTokenById(deps, id);
  if (token !== null && token.impersonatorId === null && (user.admin || token.userId === user.id))
    return token;
  throw user.admin ? notFound("Personal Access Token") : unauthorized();
}

/**
 * Returns the personal access token that authenticates the request.
 * @throws ApiError 401 for a request with an OAuth token.
 */
export async function ownPersonalToken(deps: Deps, { token }: Principal): Promise<PersonalToken> {
  const own = token.kind === "personal" ? await personalTokenById(deps, token.id) : null;
  if (own === null) throw unauthorized();
  return own;
}

const day = z.iso.date().nullish();

export const ownRotation = z.object({
  expires_at: day.describe(
    "The expiration date of the new token, in UTC, at most 365 days from now. The default is one week from now.",
  ),
});
export const rotation = ownRotation.extend({ id });

export const rotateToken = async (
  deps: Deps,
  principal: Principal,
  { id, expires_at }: z.infer<typeof rotation>,
): Promise<CreatedPersonalToken> =>
  rotated(deps, principal, await readToken(deps, principal, { id }), expires_at);

export const rotateOwnToken = async (
  deps: Deps,
  principal: Principal,
  { expires_at }: z.infer<typeof ownRotation>,
): Promise<CreatedPersonalToken> =>
  rotated(deps, principal, await ownPersonalToken(deps, principal), expires_at);

const ROTATED_DAYS = 7;

/**
 * Rotates a personal access token.
 * @throws ApiError 400 for a revoked token, and for a date in the past or more than 365 days from now.
 */
async function rotated(
  deps: Deps,
  { user }: Principal,
  token: PersonalToken,
  expiresAt: string | null | undefined,
): Promise<CreatedPersonalToken> {
  if (token.revokedAt !== null) {
    await endReusedFamily(deps, token);
    throw badRequest("Token already revoked");
  }
  // A concurrent request may have revoked the token. The token family is not revoked, because the token was
  // active when the client used the token.
  const outcome = await rotatePersonalToken(
    deps,
    token,
    expiresAt ?? dayAfter(deps.clock(), ROTATED_DAYS),
    user,
  );
  if (outcome === null) throw badRequest("Token already revoked");
  if ("problems" in outcome) throw badRequest(Object.values(outcome.problems).flat().join(" "));
  return outcome;
}

/** Revokes a personal access token. The function also succeeds for a token that is already revoked. */
export async function revokeToken(deps: Deps, principal: Principal, reference: Reference): Promise<void> {
  await revokePersonalToken(deps, await readToken(deps, principal, reference), principal.user);
}

export async function revokeOwnToken(deps: Deps, principal: Principal): Promise<void> {
  await revokePersonalToken(deps, await ownPersonalToken(deps, principal));
}

export const newToken = z.object({
  id,
  name: text(255),
  scopes: words
    .pipe(z.array(z.enum(PERSONAL_TOKEN_SCOPES)).min(1))
    .meta({ type: "array", items: { type: "string", enum: [...PERSONAL_TOKEN_SCOPES] } }),
  expires_at: day.describe("The expiration date, in UTC. The default and the maximum are 365 days from now."),
});

/**
 * Creates a token for any user, as an administrator.
 * @throws ApiError 404 for an unknown user, 400 for invalid values, 401 if the token of the request is revoked
 * during the request.
 */
export async function createToken(
  deps: Deps,
  { user: by, token }: Principal,
  { id, name, scopes, expires_at }: z.infer<typeof newToken>,
): Promise<CreatedPersonalToken> {
  const owner = await users.findById(deps, id);
  if (owner === null) throw notFound("User");
  if (isBot(owner)) throw badRequest("A bot cannot have personal access tokens");
  const draft = { name, scopes, expiresAt: expires_at ?? null };
  const outcome = await deps.transaction(async (within) => {
    if (!(await lockLiveToken(within, { id: token.id, ownerId: by.id }))) throw invalidToken("revoked");
    return createPersonalToken(within, owner, draft, by);
  });
  if (!("problems" in outcome)) return outcome;
  const { expiresAt, ...problems } = outcome.problems;
  throw unacceptable(expiresAt === undefined ? problems : { ...problems, expires_at: expiresAt });
}
