import { receivedEvents } from "@/error-tracking/tracked-errors/service";
import { countSignedInUsers } from "@/instance/audit/service";
import { type Bar, barsOf, type Period, startOf } from "@/instance/statistics/rules";
import { readStatistics, topApplications } from "@/instance/statistics/service";
import { PRODUCT_VERSION } from "@/kernel/config/product";
import { databaseBytes } from "@/kernel/db/database-size";
import { pendingMigrations } from "@/kernel/db/migrate";
import type { Deps } from "@/kernel/deps/deps";
import { applicationsByUid } from "@/oauth/applications/administration";
import type { FailedCheck } from "@/ui/failure-page";
import { type HealthWarning, healthWarnings } from "../health/checks";
import { failedChecksOf } from "../health/failed-checks";
import { readiness } from "../health/readiness";

/** An application with the number of tokens that it received. `id` is null for a removed application. */
export type TopApplication = Readonly<{ uid: string; id: number | null; name: string; count: number }>;

/** The state of the instance, and the use of the instance in a period. */
export type Overview = Readonly<{
  /** The number of users who signed in during the period. */
  activeUsers: number;
  databaseBytes: number;
  pendingMigrations: number;
  version: string;
  warnings: readonly HealthWarning[];
  /** The failed checks of the readiness probe. */
  failedChecks: readonly FailedCheck[];
  signIns: Readonly<{ succeeded: readonly Bar[]; failed: readonly Bar[] }>;
  tokens: Readonly<{ issued: readonly Bar[]; refreshed: readonly Bar[] }>;
  events: Readonly<{ accepted: readonly Bar[]; dropped: readonly Bar[] }>;
  applications: readonly TopApplication[];
}>;

const APPLICATIONS_SHOWN = 5;

const NAMES = ["sign_in.succeeded", "sign_in.failed", "token.issued", "token.refreshed"] as const;

/** Returns the state of the instance, and the use of the instance in a period, for administrators. */
export async function readOverview(deps: Deps, period: Period): Promise<Overview> {
  const now = deps.clock();
  const since = startOf(period, now);
  const { config, db } = deps;
  const [counts, events, activeUsers, bytes, pending, warnings, { checks }] = await Promise.all([
    readStatistics(deps, NAMES, period),
    receivedEvents(deps, since),
    countSignedInUsers(deps, since),
    databaseBytes(db, config.database),
    pendingMigrations(config.database),
    healthWarnings(config, db),
    readiness(deps),
  ]);
  const ofOutcome = (accepted: boolean) =>
    barsOf(
      period,
      now,
      events.filter((row) => row.accepted === accepted),
    );
  return {
    activeUsers,
    databaseBytes: bytes,
    pendingMigrations: pending.length,
    version: PRODUCT_VERSION,
    warnings,
    failedChecks: failedChecksOf(checks),
    signIns: { succeeded: counts["sign_in.succeeded"], failed: counts["sign_in.failed"] },
    tokens: { issued: counts["token.issued"], refreshed: counts["token.refreshed"] },
    events: { accepted: ofOutcome(true), dropped: ofOutcome(false) },
    // `readStatistics` has written the counts from memory to the database, so this query includes all counts.
    applications: await mostUsed(deps, period),
  };
}

async function mostUsed(deps: Deps, period: Period): Promise<readonly TopApplication[]> {
  const rows = await topApplications(deps, ["token.issued", "token.refreshed"], period, APPLICATIONS_SHOWN);
  const applications = await applicationsByUid(
    deps,
    rows.map(({ uid }) => uid),
  );
  return rows.map(({ uid, count }) => {
    const { id = null, name = "A removed application" } = applications.get(uid) ?? {};
    return { uid, count, id, name };
  });
}
