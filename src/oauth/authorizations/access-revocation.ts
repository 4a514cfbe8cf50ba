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
 * unused authorization codes, device approvals, consents, and personal access tokens. The order of the
 * statements prevents a concurrent request from leaving a valid authorization code or token (see
 * `withdrawConsent`). Callers must be inside a transaction that has ended the sessions.
 */
export async function revokeAccess(deps: Deps, { userId, because, actorId }: AccessEnded): Promise<void> {
  await removeConsentsOf(deps, userId);
  await store.spendUnusedCodes(deps.db, { userId }, deps.clock());
  await devices.withdrawApprovals(deps, { userId }, "server");
  const grants = await tokens.revokeAllOf(deps, { userId });
  const personalTokens = await revokePersonalTokensOf(deps, userId);
  if (grants + personalTokens === 0) return;
  await audit.record(deps, "access.revoked", { because, grants, personalTokens }, { userId, actorId });
}
