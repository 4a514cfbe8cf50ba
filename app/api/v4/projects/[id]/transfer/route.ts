import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";
import { projectDetails as entity } from "@/workspace/api/entities/project";
import { projectTransfer, transferProject } from "@/workspace/api/projects";

export const PUT = endpoint({
  summary: "Transfer a project to another group or user",
  in: project({ atLeast: "owner" }),
  input: projectTransfer,
  example: { namespace: "group-public" },
  response: one(entity),
  run: transferProject,
});
export const OPTIONS = apiPreflight;
