import { administrator } from "@/http-api/access-rules";
import { none, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { hook as entity } from "@/webhooks/api/entities/hook";
import { hookChanges, hookEndpoints, hookReference, ofInstance } from "@/webhooks/api/hooks";

const hooks = hookEndpoints(ofInstance);

export const GET = endpoint({
  summary: "Get a webhook of the instance",
  in: administrator(),
  input: hookReference,
  response: one(entity),
  run: hooks.read,
});
export const PUT = endpoint({
  summary: "Edit a webhook of the instance",
  in: administrator(),
  input: hookChanges,
  example: { push_events: false },
  response: one(entity),
  run: hooks.change,
});
export const DELETE = endpoint({
  summary: "Delete a webhook of the instance",
  in: administrator(),
  input: hookReference,
  response: none(),
  run: hooks.remove,
});
export const OPTIONS = apiPreflight;
