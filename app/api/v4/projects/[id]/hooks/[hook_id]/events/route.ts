import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { deliveryEndpoints, deliverySearch } from "@/webhooks/api/deliveries";
import { hookEvent as entity } from "@/webhooks/api/entities/delivery";
import { ofProject } from "@/webhooks/api/hooks";
import { project } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "List the messages that a webhook of a project has sent in the last 7 days",
  in: project({ atLeast: "maintainer" }),
  input: deliverySearch,
  response: list(entity, { gitlabParameters: GITLAB_PARAMETERS.hook_events, pagedBy: "number" }),
  run: deliveryEndpoints(ofProject).list,
});
export const OPTIONS = apiPreflight;
