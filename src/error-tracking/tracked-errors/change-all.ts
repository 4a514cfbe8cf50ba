import type { Deps } from "@/kernel/deps/deps";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import type { ErrorStatus } from "./rules";
import { type ErrorListInput, filterFrom } from "./service";
import * as store from "./store";

/**
 * Sets the status of all tracked errors of the project that match a filter.
 * @param change.firstSeenUntil the time at which the list was shown. Tracked errors that appeared later are
 * not changed.
 * @returns the number of tracked errors whose status has changed.
 */
export const setMatchingStatuses = (
  deps: Deps,
  project: AuthorizedProject,
  filter: Pick<ErrorListInput, "status" | "environment" | "query">,
  change: Readonly<{ status: ErrorStatus; firstSeenUntil: Date }>,
): Promise<number> =>
  store.setMatchingStatuses(deps.db, project, filterFrom(filter), { ...change, now: deps.clock() });
