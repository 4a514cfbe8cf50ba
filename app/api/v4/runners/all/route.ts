import { apiPreflight } from "@/api/cors";
import { apiList } from "@/api/endpoint";
import { runner } from "@/api/entities/runner";
import { everyRunnerSearch, listAllRunners } from "@/api/runners";

export const GET = apiList({
  summary: "Every runner of the instance",
  role: "administrator",
  input: everyRunnerSearch,
  run: listAllRunners,
  entity: runner,
});
export const OPTIONS = apiPreflight;
