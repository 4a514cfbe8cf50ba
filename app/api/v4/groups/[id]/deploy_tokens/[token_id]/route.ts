import { none, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { group } from "@/workspace/api/access-rules";
import { deployTokenReference, readDeployToken, revokeDeployToken } from "@/workspace/api/deploy-tokens";
import { deployToken } from "@/workspace/api/entities/deploy-token";

export const GET = endpoint({
  summary: "Get a deploy token of a group, without its value",
  in: group({ atLeast: "owner" }),
  input: deployTokenReference,
  response: one(deployToken),
  run: readDeployToken,
});
export const DELETE = endpoint({
  summary: "Delete a deploy token of a group; the token stops working immediately",
  in: group({ atLeast: "owner" }),
  input: deployTokenReference,
  response: none(),
  run: revokeDeployToken,
});
export const OPTIONS = apiPreflight;
