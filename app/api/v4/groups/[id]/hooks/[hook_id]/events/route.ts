import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { deliveryEndpoints, deliverySearch } from "@/webhooks/api/deliveries";
import { hookEvent as entity } from "@/webhooks/api/entities/delivery";
import { ofGroup } from "@/webhooks/api/hooks";
import { group } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "List the messages that a webhook of a group has sent in the last 7 days",
  in: group({ atLeast: "owner" }),
  input: deliverySearch,
  response: list(entity, { gitlabParameters: GITLAB_PARAMETERS.hook_events, pagedBy: "number" }),
  run: deliveryEndpoints(ofGroup).list,
});
export const OPTIONS = apiPreflight;
