import { redirect } from "next/navigation";
import { scopesNamed } from "@/access/scopes";
import { heldFormOf, requireRecentAuthentication, requireSession } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, readId, textOf, urlWithQuery } from "@/kernel/http/query";
import { keysetLinks, keysetPagingIn, type PageLinks } from "@/kernel/paging/links";
import { defaultExpiry, PERSONAL_TOKEN_SCOPES, type PersonalToken, type PersonalTokenDraft } from "./rules";
import { readPersonalTokenForm } from "./schema";
import { ownPersonalTokens } from "./service";

const HOME = "/user_settings/personal_access_tokens";
const TOKENS_MAX = 20;
const NAME_CHARACTERS_MAX = 255;

/** A page of the personal access tokens of the signed-in user. */
export type PersonalTokensPage = PageLinks &
  Readonly<{
    tokens: readonly PersonalToken[];
    now: Date;
    /** The suggested expiration date of the token that replaces a rotated token. */
    expiry: string;
  }>;

export async function loadPersonalTokens(query: Query): Promise<PersonalTokensPage> {
  // GitLab shows the token form on the same page as the list of tokens. Programs therefore link to the page
  // with the list of tokens, and pass the values of the token form in the query.
  const form = formUrlWith(query);
  if (form !== `${HOME}/new`) redirect(form);
  const { user } = await requireSession(HOME);
  const deps = systemDeps();
  const now = deps.clock();
  const slice = await ownPersonalTokens(deps, user.id, keysetPagingIn(query, TOKENS_MAX, readId));
  return {
    tokens: slice.rows,
    now,
    expiry: defaultExpiry(now),
    ...keysetLinks(slice, ({ id }) => String(id), HOME),
  };
}

/**
 * Returns the URL of the token form, with the parameters `name` and `scopes` from the query of the current
 * page.
 */
const formUrlWith = (query: Query): string =>
  urlWithQuery(`${HOME}/new`, { name: textOf(query, "name"), scopes: textOf(query, "scopes") });

/**
 * Returns the initial values of the token form. The result contains the values that were submitted before a
 * re-authentication, or the values of the query (`?name=&scopes=`) and the suggested expiration date. The
 * page requires a recent re-authentication, because a token can act for its user.
 */
export async function loadTokenDraft(query: Query): Promise<PersonalTokenDraft> {
  await requireSession(formUrlWith(query));
  await requireRecentAuthentication(formUrlWith(query));
  const held = await heldFormOf(`${HOME}/new`);
  if (held !== null) return readPersonalTokenForm(held);
  return {
    name: textOf(query, "name").slice(0, NAME_CHARACTERS_MAX),
    scopes: scopesNamed(textOf(query, "scopes")).filter((scope) => PERSONAL_TOKEN_SCOPES.includes(scope)),
    expiresAt: defaultExpiry(systemDeps().clock()),
  };
}
