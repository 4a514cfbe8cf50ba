import type { RecordedEvent } from "@/instance/audit/service";
import type { Deps } from "@/kernel/deps/deps";
import { endWaiting } from "../deliveries/service";
import { clearEventsOfApplication, removeHooksOfApplication } from "../hooks/service";

/**
 * Stops the messages to the former owner or a former maintainer of an application, in the transaction of the
 * audit event. The webhooks of a transferred application are deleted. If a maintainer is removed, the
 * application keeps its webhooks, but its owner must select the events of the webhooks again.
 */
export async function endHooksOfFormerOwner(deps: Deps, event: RecordedEvent): Promise<void> {
  const { name, applicationId, actorId, userId } = event;
  if (applicationId === null) return;
  if (name === "application.transferred")
    await removeHooksOfApplication(deps, applicationId, actorId ?? userId);
  else if (name === "application.maintainer_removed") {
    const ids = await clearEventsOfApplication(deps, applicationId, actorId ?? userId);
    await endWaiting(deps.db, ids, deps.clock());
  }
}
