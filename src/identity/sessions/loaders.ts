import { systemDeps } from "@/kernel/deps/deps";
import { addressOf, cursorIn, neighbours, type Query, readId } from "@/kernel/paging/keyset";
import { requireSession } from "../sign-in/loaders";
import { type OwnSession, ownSessions } from "../sign-in/sessions";

const HOME = "/user_settings/sessions";
const SESSIONS_MAX = 20;

/** A page of the sessions of the signed-in person. */
export type SessionsPage = Readonly<{
  sessions: readonly OwnSession[];
  newer: string | null;
  older: string | null;
  now: Date;
}>;

export async function loadSessions(query: Query): Promise<SessionsPage> {
  const session = await requireSession(HOME);
  const deps = systemDeps();
  const slice = await ownSessions(deps, session, cursorIn(query, readId), SESSIONS_MAX);
  return {
    sessions: slice.rows,
    now: deps.clock(),
    ...neighbours(
      slice,
      ({ id }) => String(id),
      (beside) => addressOf(HOME, beside),
    ),
  };
}
