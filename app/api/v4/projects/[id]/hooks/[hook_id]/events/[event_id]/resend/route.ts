import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { deliveryEndpoints, deliveryReference } from "@/webhooks/api/deliveries";
import { resent as entity } from "@/webhooks/api/entities/delivery";
import { ofProject } from "@/webhooks/api/hooks";
import { project } from "@/workspace/api/access-rules";

export const POST = endpoint({
  summary: "Resend a message of a project webhook",
  in: project({ atLeast: "maintainer" }),
  input: deliveryReference,
  response: one(entity, { status: 201 }),
  run: deliveryEndpoints(ofProject).resend,
});
export const OPTIONS = apiPreflight;
