import { runner } from "@/fleet/api/entities/runner";
import { assignRunner, listProjectRunners, projectRunner, runnerSearch } from "@/fleet/api/runners";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { projectEndpoint, projectList } from "@/workspace/api/project-endpoint";

const role = "maintainer";

export const GET = projectList({
  summary: "The runners that work for a project: its own, those of groups above it and of the instance",
  gitlabParameters: GITLAB_PARAMETERS.runners,
  role,
  input: runnerSearch,
  run: listProjectRunners,
  entity: runner,
});
export const POST = projectEndpoint({
  summary: "Lets a runner of another project that one maintains work for this one, too",
  role,
  input: projectRunner,
  status: 201,
  run: assignRunner,
  entity: runner,
});
export const OPTIONS = apiPreflight;
