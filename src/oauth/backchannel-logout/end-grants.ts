import type { Deps } from "@/kernel/deps/deps";
import { cancelCodesOfSessions } from "../authorizations/session-codes";
import { enqueueEnded } from "../client-sessions/service";
import { lockConsentsOf } from "../consents/service";
import { revokeGrantsOfSessions } from "../tokens/revocation";

/**
 * Queues logout tokens for the applications to which a user had signed in during the sessions that end. The
 * function also cancels the unused authorization codes of the ended sessions, and revokes the grants of these
 * sessions that do not have `offline_access` (OpenID Connect Back-Channel Logout §2.7). The authorization
 * codes are canceled before the grants are revoked, because the concurrent exchange of an authorization code
 * locks the authorization code first. The consents of the user are locked before all of them, because some events also
 * remove the consents, and the withdrawal of a consent locks the consent first. Callers must be inside the transaction
 * that ends the sessions.
 */
export async function endClientSessions(deps: Deps, userId: number): Promise<void> {
  await lockConsentsOf(deps, userId);
  const sids = await enqueueEnded(deps, userId);
  if (sids.length === 0) return;
  await cancelCodesOfSessions(deps, userId, sids);
  await revokeGrantsOfSessions(deps, userId, sids);
}
