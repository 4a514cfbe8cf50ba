import { systemDeps } from "@/platform/deps";
import { addressOf, cursorIn, neighbours, type Query, readId } from "@/platform/keyset";
import { requireRecentProof, requireSession } from "../sign-in/loaders";
import { defaultExpiry, type PersonalToken } from "./rules";
import { ownPersonalTokens } from "./service";

const HOME = "/user_settings/personal_access_tokens";
const TOKENS_MAX = 20;

/** A page of the signed-in person's tokens. */
export type PersonalTokensPage = Readonly<{
  tokens: readonly PersonalToken[];
  newer: string | null;
  older: string | null;
  now: Date;
  /** The day that a new token ends on, unless the person says otherwise. */
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
      (beside) => addressOf(HOME, beside),
    ),
  };
}

/**
 * The day that a new token ends on, unless the person says otherwise. A token reaches as far as its person, so they
 * prove first who they are, as before they allow as much to an application.
 */
export async function loadExpiry(): Promise<string> {
  await requireSession(`${HOME}/new`);
  await requireRecentProof(`${HOME}/new`);
  return defaultExpiry(systemDeps().clock());
}
