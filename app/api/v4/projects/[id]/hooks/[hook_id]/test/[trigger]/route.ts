import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { deliveryEndpoints, testTrigger } from "@/webhooks/api/deliveries";
import { created as entity } from "@/webhooks/api/entities/created";
import { ofProject } from "@/webhooks/api/hooks";
import { project } from "@/workspace/api/access-rules";

export const POST = endpoint({
  summary: "Send a test message of a webhook of a project",
  in: project({ atLeast: "maintainer" }),
  input: testTrigger,
  response: one(entity, { status: 201 }),
  run: deliveryEndpoints(ofProject).test,
});
export const OPTIONS = apiPreflight;
