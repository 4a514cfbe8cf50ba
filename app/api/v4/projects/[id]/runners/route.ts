import { runner } from "@/fleet/api/entities/runner";
import { assignRunner, listProjectRunners, projectRunner, runnerSearch } from "@/fleet/api/runners";
import { list, one } from "@/http-api/answers";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/places";

export const GET = endpoint({
  summary: "The runners that work for a project: its own, those of groups above it and of the instance",
  in: project({ atLeast: "maintainer" }),
  input: runnerSearch,
  answer: list(runner, { gitlabParameters: GITLAB_PARAMETERS.runners }),
  run: listProjectRunners,
});
export const POST = endpoint({
  summary: "Lets a runner of another project that one maintains work for this one, too",
  in: project({ atLeast: "maintainer" }),
  input: projectRunner,
  answer: one(runner, { status: 201 }),
  run: assignRunner,
});
export const OPTIONS = apiPreflight;
