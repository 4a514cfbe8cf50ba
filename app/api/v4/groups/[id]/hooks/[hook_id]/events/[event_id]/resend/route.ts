import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { deliveryEndpoints, deliveryReference } from "@/webhooks/api/deliveries";
import { resent as entity } from "@/webhooks/api/entities/delivery";
import { ofGroup } from "@/webhooks/api/hooks";
import { group } from "@/workspace/api/access-rules";

export const POST = endpoint({
  summary: "Resend a message of a group webhook",
  in: group({ atLeast: "owner" }),
  input: deliveryReference,
  response: one(entity, { status: 201 }),
  run: deliveryEndpoints(ofGroup).resend,
});
export const OPTIONS = apiPreflight;
