import { writeLastUses } from "@/instance/last-use/service";
import type { Deps } from "@/kernel/deps/deps";
import * as store from "./store";

/**
 * Returns the active and ended grants of a user for the export of the user's data. The result contains only
 * grants whose ids are greater than `slice.after`.
 */
export async function listGrants(
  deps: Deps,
  userId: number,
  slice: Readonly<{ after: number; most: number }>,
) {
  await writeLastUses(deps);
  const rows = await store.familiesOfUser(deps.db, userId, slice);
  return rows.map(({ id, application, grantType, scopes, createdAt, lastUsedAt, ...family }) => ({
    id,
    application: application?.name ?? null,
    grant_type: grantType,
    scopes: scopes.split(" "),
    created_at: createdAt,
    revoked_at: family.revokedAt,
    last_used_at: lastUsedAt,
    last_ip_address: family.lastAddress,
    last_user_agent: family.lastUserAgent,
  }));
}
