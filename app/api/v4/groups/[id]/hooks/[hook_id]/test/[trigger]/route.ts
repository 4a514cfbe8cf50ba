import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { deliveryEndpoints, testTrigger } from "@/webhooks/api/deliveries";
import { created as entity } from "@/webhooks/api/entities/created";
import { ofGroup } from "@/webhooks/api/hooks";
import { group } from "@/workspace/api/access-rules";

export const POST = endpoint({
  summary: "Send a test message of a webhook of a group",
  in: group({ atLeast: "owner" }),
  input: testTrigger,
  response: one(entity, { status: 201 }),
  run: deliveryEndpoints(ofGroup).test,
});
export const OPTIONS = apiPreflight;
