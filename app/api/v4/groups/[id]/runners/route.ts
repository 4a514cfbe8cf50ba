import { runner } from "@/fleet/api/entities/runner";
import { listGroupRunners, runnerSearch } from "@/fleet/api/runners";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { groupList } from "@/workspace/api/project-endpoint";

export const GET = groupList({
  summary: "The runners that work for a group: its own, those of groups above it and of the instance",
  gitlabParameters: GITLAB_PARAMETERS.runners,
  role: "maintainer",
  input: runnerSearch,
  run: listGroupRunners,
  entity: runner,
});
export const OPTIONS = apiPreflight;
