import type { AuditEvents } from "@/instance/audit/catalog";
import type { Deps } from "@/kernel/deps/deps";

/**
 * The event that is emitted when a user must sign in again. `actorId` is the id of the administrator who
 * caused the event, if any.
 */
export type AccessEnded = Readonly<{
  userId: number;
  because: AuditEvents["access.revoked"]["because"];
  actorId: number | null;
}>;

declare module "@/kernel/deps/deps" {
  interface Hooks {
    /**
     * Revokes all access to a user's account, except sessions. The function runs inside the transaction of
     * `deps`.
     */
    accessEnded: readonly ((deps: Deps, event: AccessEnded) => Promise<void>)[];
  }
}

/**
 * Emits the event that a user must sign in again. The caller must emit the event inside the transaction that
 * ends the sessions of the user.
 */
export async function announceAccessEnded(deps: Deps, event: AccessEnded): Promise<void> {
  for (const listener of deps.hooks.accessEnded) await listener(deps, event);
}
