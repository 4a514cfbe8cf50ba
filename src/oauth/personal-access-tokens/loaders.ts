import { heldFormOf, requireRecentAuthentication, requireSession } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { cursorIn, neighbours, type Query, readId, urlWithQuery } from "@/kernel/paging/keyset";
import { defaultExpiry, type PersonalToken, type PersonalTokenDraft } from "./rules";
import { readPersonalTokenForm } from "./schema";
import { ownPersonalTokens } from "./service";

const HOME = "/user_settings/personal_access_tokens";
const TOKENS_MAX = 20;

/** A page of the personal access tokens of the signed-in user. */
export type PersonalTokensPage = Readonly<{
  tokens: readonly PersonalToken[];
  newer: string | null;
  older: string | null;
  now: Date;
  /** The suggested expiration date of a rotated token. */
  expiry: string;
}>;

export async function loadPersonalTokens(query: Query): Promise<PersonalTokensPage> {
  const { user } = await requireSession(HOME);
  const deps = systemDeps();
  const now = deps.clock();
  const slice = await ownPersonalTokens(deps, user.id, cursorIn(query, readId), TOKENS_MAX);
  return {
    tokens: slice.rows,
    now,
    expiry: defaultExpiry(now),
    ...neighbours(
      slice,
      ({ id }) => String(id),
      (neighbour) => urlWithQuery(HOME, neighbour),
    ),
  };
}

/**
 * Returns the initial values of the token form: the values that were submitted before a re-authentication, or
 * the suggested expiration date. A token can act for its user, so the page requires a recent
 * re-authentication.
 */
export async function loadTokenDraft(): Promise<PersonalTokenDraft> {
  await requireSession(`${HOME}/new`);
  await requireRecentAuthentication(`${HOME}/new`);
  const held = await heldFormOf(`${HOME}/new`);
  if (held !== null) return readPersonalTokenForm(held);
  return { name: "", scopes: [], expiresAt: defaultExpiry(systemDeps().clock()) };
}
