import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { hook as entity } from "@/webhooks/api/entities/hook";
import { hookEndpoints, newHook, ofProject } from "@/webhooks/api/hooks";
import { project } from "@/workspace/api/access-rules";

const hooks = hookEndpoints(ofProject);

export const GET = endpoint({
  summary: "List the webhooks of a project",
  in: project({ atLeast: "maintainer" }),
  response: list(entity, { gitlabParameters: GITLAB_PARAMETERS.hooks, pagedBy: "number" }),
  run: hooks.list,
});
export const POST = endpoint({
  summary: "Create a webhook of a project",
  in: project({ atLeast: "maintainer" }),
  input: newHook,
  example: { url: "https://ci.example.com/hook", push_events: true },
  response: one(entity, { status: 201 }),
  run: hooks.create,
});
export const OPTIONS = apiPreflight;
