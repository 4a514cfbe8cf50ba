import { none, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";
import { deployTokenReference, readDeployToken, revokeDeployToken } from "@/workspace/api/deploy-tokens";
import { deployToken } from "@/workspace/api/entities/deploy-token";

export const GET = endpoint({
  summary: "Get a deploy token of a project, without its value",
  in: project({ atLeast: "maintainer" }),
  input: deployTokenReference,
  response: one(deployToken),
  run: readDeployToken,
});
export const DELETE = endpoint({
  summary: "Delete a deploy token of a project; the token stops working immediately",
  in: project({ atLeast: "maintainer" }),
  input: deployTokenReference,
  response: none(),
  run: revokeDeployToken,
});
export const OPTIONS = apiPreflight;
