import { none, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { hook as entity } from "@/webhooks/api/entities/hook";
import { hookChanges, hookEndpoints, hookReference, ofGroup } from "@/webhooks/api/hooks";
import { group } from "@/workspace/api/access-rules";

const hooks = hookEndpoints(ofGroup);

export const GET = endpoint({
  summary: "Get a webhook of a group",
  in: group({ atLeast: "owner" }),
  input: hookReference,
  response: one(entity),
  run: hooks.read,
});
export const PUT = endpoint({
  summary: "Edit a webhook of a group",
  in: group({ atLeast: "owner" }),
  input: hookChanges,
  example: { push_events: false },
  response: one(entity),
  run: hooks.change,
});
export const DELETE = endpoint({
  summary: "Delete a webhook of a group",
  in: group({ atLeast: "owner" }),
  input: hookReference,
  response: none(),
  run: hooks.remove,
});
export const OPTIONS = apiPreflight;
