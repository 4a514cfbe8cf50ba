import { runner } from "@/fleet/api/entities/runner";
import { assignRunner, listProjectRunners, projectRunner, runnerSearch } from "@/fleet/api/runners";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "List the runners that are available to a project, including group and instance runners",
  in: project({ atLeast: "maintainer" }),
  input: runnerSearch,
  response: list(runner, { gitlabParameters: GITLAB_PARAMETERS.runners }),
  run: listProjectRunners,
});
export const POST = endpoint({
  summary: "Assign a runner to a project; you must maintain another project of the runner",
  in: project({ atLeast: "maintainer" }),
  input: projectRunner,
  response: one(runner, { status: 201 }),
  run: assignRunner,
});
export const OPTIONS = apiPreflight;
