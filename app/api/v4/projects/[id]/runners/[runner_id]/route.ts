import { apiPreflight } from "@/api/cors";
import { projectEndpoint } from "@/api/project-endpoint";
import { projectRunner, unassignRunner } from "@/api/runners";

export const DELETE = projectEndpoint({
  summary: "Takes a runner from a project; its last one it keeps",
  role: "maintainer",
  input: projectRunner,
  run: unassignRunner,
  entity: null,
});
export const OPTIONS = apiPreflight;
