import type { StatisticName } from "@/instance/statistics/catalog";
import type { Bar, Period } from "@/instance/statistics/rules";
import { readStatistics } from "@/instance/statistics/service";
import type { Deps } from "@/kernel/deps/deps";

const NAMES = ["authorization.granted", "token.issued", "token.refreshed", "request.failed"] as const;

/**
 * The number of authorizations, tokens and failed requests of an application in each interval of a period.
 */
export type ApplicationActivity = Readonly<
  Record<Extract<StatisticName, (typeof NAMES)[number]>, readonly Bar[]>
>;

/** Returns the activity of an application in a period. @param uid the Application ID. */
export const activityOf = (deps: Deps, uid: string, period: Period): Promise<ApplicationActivity> =>
  readStatistics(deps, NAMES, period, uid);
