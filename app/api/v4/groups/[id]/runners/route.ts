import { apiPreflight } from "@/api/cors";
import { runner } from "@/api/entities/runner";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { groupList } from "@/api/project-endpoint";
import { listGroupRunners, runnerSearch } from "@/api/runners";

export const GET = groupList({
  summary: "The runners that work for a group: its own, those of groups above it and of the instance",
  gitlabParameters: GITLAB_PARAMETERS.runners,
  role: "maintainer",
  input: runnerSearch,
  run: listGroupRunners,
  entity: runner,
});
export const OPTIONS = apiPreflight;
