import { none, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { hook as entity } from "@/webhooks/api/entities/hook";
import { hookChanges, hookEndpoints, hookReference, ofProject } from "@/webhooks/api/hooks";
import { project } from "@/workspace/api/access-rules";

const hooks = hookEndpoints(ofProject);

export const GET = endpoint({
  summary: "Get a webhook of a project",
  in: project({ atLeast: "maintainer" }),
  input: hookReference,
  response: one(entity),
  run: hooks.read,
});
export const PUT = endpoint({
  summary: "Edit a webhook of a project",
  in: project({ atLeast: "maintainer" }),
  input: hookChanges,
  example: { push_events: false },
  response: one(entity),
  run: hooks.change,
});
export const DELETE = endpoint({
  summary: "Delete a webhook of a project",
  in: project({ atLeast: "maintainer" }),
  input: hookReference,
  response: none(),
  run: hooks.remove,
});
export const OPTIONS = apiPreflight;
