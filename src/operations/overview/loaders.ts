import { requireAdmin } from "@/identity/sessions/loaders";
import { readPeriod } from "@/instance/statistics/rules";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, textOf } from "@/kernel/http/query";
import { readOverview } from "./service";

export const OVERVIEW_PAGE = "/admin";

/** Loads the overview of the instance for the period of the query, for an administrator. */
export async function loadOverview(query: Query) {
  await requireAdmin(OVERVIEW_PAGE);
  const period = readPeriod(textOf(query, "period"));
  return { period, overview: await readOverview(systemDeps(), period) };
}
