import { z } from "zod";
import type { Principal } from "@/access/principal";
import { forbidden } from "@/http-api/errors";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import { type DeprecatedUse, USE_CIRCLES } from "@/operations/deprecated-uses/rules";
import { listDeprecatedUses } from "@/operations/deprecated-uses/service";

export const useSearch = z.object({
  scope: z
    .enum(USE_CIRCLES)
    .default("own")
    .describe(
      "`own` returns the uses of deprecated API parts with your own tokens. `applications` returns the uses of deprecated API parts by applications that you registered. `all` returns the uses of deprecated API parts by all users, and is available only to administrators.",
    ),
});

/**
 * Returns a page of the recorded uses of deprecated parts of the API.
 * @throws ApiError 403 if a caller who is not an administrator requests the uses of all users (`all`).
 */
export async function listUses(
  deps: Deps,
  { user }: Principal,
  { scope }: z.infer<typeof useSearch>,
  paging: Paging,
): Promise<Page<DeprecatedUse>> {
  if (scope === "all" && !user.admin) throw forbidden();
  return listDeprecatedUses(deps, user, scope, paging);
}
