import type { RecordedEvent } from "@/instance/audit/service";
import type { Deps } from "@/kernel/deps/deps";
import { notify } from "../notices/service";
import { findById } from "../users/service";
import { noticeOf } from "./rules";

/** Sends a notice about an audit event to the user whom the event concerns, in the transaction of `deps`. */
export async function notifyOfEvent(deps: Deps, { name, details, userId }: RecordedEvent): Promise<void> {
  const notice = noticeOf(name, details);
  if (notice === null || userId === null) return;
  const user = await findById(deps, userId);
  if (user !== null) await notify(deps, user, notice.kind, { facts: notice.facts });
}
