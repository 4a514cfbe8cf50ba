import { projectRunner, unassignRunner } from "@/fleet/api/runners";
import { none } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";

export const DELETE = endpoint({
  summary: "Unassign a runner from a project, unless the runner has no other project",
  in: project({ atLeast: "maintainer" }),
  input: projectRunner,
  response: none(),
  run: unassignRunner,
});
export const OPTIONS = apiPreflight;
