import { runner } from "@/fleet/api/entities/runner";
import { assignRunner, listProjectRunners, projectRunner, runnerSearch } from "@/fleet/api/runners";
import { list, one } from "@/http-api/answers";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "List the runners that are available to a project, including group and instance runners",
  in: project({ atLeast: "maintainer" }),
  input: runnerSearch,
  answer: list(runner, { gitlabParameters: GITLAB_PARAMETERS.runners }),
  run: listProjectRunners,
});
export const POST = endpoint({
  summary: "Assign a runner of another project that you maintain to a project",
  in: project({ atLeast: "maintainer" }),
  input: projectRunner,
  answer: one(runner, { status: 201 }),
  run: assignRunner,
});
export const OPTIONS = apiPreflight;
