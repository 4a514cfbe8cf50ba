import { systemDeps } from "@/platform/deps";
import { addressOf, cursorIn, neighbours, type Query, readId } from "@/platform/keyset";
import { requireSession } from "../sign-in/loaders";
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

/** The day that a new token ends on, unless the person says otherwise. */
export async function loadExpiry(): Promise<string> {
  await requireSession(`${HOME}/new`);
  return defaultExpiry(systemDeps().clock());
}
