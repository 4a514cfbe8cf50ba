import { projectRunner, unassignRunner } from "@/fleet/api/runners";
import { apiPreflight } from "@/oauth/api/cors";
import { projectEndpoint } from "@/workspace/api/project-endpoint";

export const DELETE = projectEndpoint({
  summary: "Takes a runner from a project; its last one it keeps",
  role: "maintainer",
  input: projectRunner,
  run: unassignRunner,
  entity: null,
});
export const OPTIONS = apiPreflight;
