import type { AccessEnded } from "@/identity/users/access-ended";
import * as audit from "@/instance/audit/service";
import type { Deps } from "@/kernel/deps/deps";
import { removeConsentsOf } from "../consents/service";
import * as devices from "../device-authorizations/service";
import { revokePersonalTokensOf } from "../personal-access-tokens/service";
import * as tokens from "../tokens/service";
import * as store from "./store";

/**
 * Revokes all access to a user's account except sessions. The function revokes grants with their tokens,
 * unused authorization codes, device approvals, consents, and personal access tokens. The function revokes
 * authorization codes and device approvals before tokens, so that the concurrent exchange of an authorization
 * code cannot leave a valid token (see `withdrawConsent`). Callers must be inside a transaction.
 */
export async function revokeAccess(deps: Deps, { userId, because, actorId }: AccessEnded): Promise<void> {
  await store.spendUnusedCodes(deps.db, { userId }, deps.clock());
  await devices.withdrawApprovals(deps, { userId });
  const grants = await tokens.revokeAllOf(deps, { userId });
  await removeConsentsOf(deps, userId);
  const personalTokens = await revokePersonalTokensOf(deps, userId);
  if (grants + personalTokens === 0) return;
  await audit.record(deps, "access.revoked", { because, grants, personalTokens }, { userId, actorId });
}
