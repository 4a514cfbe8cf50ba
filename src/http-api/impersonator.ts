import type { Principal } from "@/access/principal";
import type { Deps } from "@/kernel/deps/deps";

/** Returns the administrator who created an impersonation token; undefined for other tokens. */
export const impersonatorOf = (token: Principal["token"]): number | undefined =>
  token.kind === "personal" ? (token.impersonatorId ?? undefined) : undefined;

/** Returns dependencies with which audit events also name the administrator of an impersonation token. */
export function withImpersonator(deps: Deps, caller: Principal | null): Deps {
  const impersonatorId = caller === null ? undefined : impersonatorOf(caller.token);
  return impersonatorId === undefined ? deps : { ...deps, impersonatorId };
}
