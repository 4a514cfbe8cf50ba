import { apiPreflight } from "@/api/cors";
import { runner } from "@/api/entities/runner";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { projectEndpoint, projectList } from "@/api/project-endpoint";
import { assignRunner, listProjectRunners, projectRunner, runnerSearch } from "@/api/runners";

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
