import { apiPreflight } from "@/api/cors";
import { apiList } from "@/api/endpoint";
import { runner } from "@/api/entities/runner";
import { listAllRunners, runnerSearch } from "@/api/runners";

export const GET = apiList({
  summary: "Every runner of the instance",
  role: "administrator",
  input: runnerSearch,
  run: listAllRunners,
  entity: runner,
});
export const OPTIONS = apiPreflight;
