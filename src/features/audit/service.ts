import type { Deps } from "@/platform/deps";
import type { AuditEvents, AuditName } from "./catalog";
import * as store from "./store";

/** Whom and what an event is about; `actorId` is the administrator, where one did it. */
export type About = Readonly<{
  userId?: number | null;
  applicationId?: number | null;
  actorId?: number | null;
}>;

/** Records what happened. With the `db` of a transaction in `deps`, exactly if the transaction holds. */
export const record = <Name extends AuditName>(
  deps: Pick<Deps, "db" | "clock">,
  name: Name,
  details: AuditEvents[Name],
  about: About,
): Promise<void> =>
  store.insert(deps.db, {
    name,
    at: deps.clock(),
    userId: about.userId ?? null,
    applicationId: about.applicationId ?? null,
    actorId: about.actorId ?? null,
    details: JSON.stringify(details),
  });
