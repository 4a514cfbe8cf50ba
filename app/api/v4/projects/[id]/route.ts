import { one } from "@/http-api/responses";
import { accepted } from "@/identity/api/entities/accepted";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { openProject, project } from "@/workspace/api/access-rules";
import { projectDetails as entity } from "@/workspace/api/entities/project";
import { deleteProject, projectChanges, readProject, updateProject } from "@/workspace/api/projects";

export const GET = endpoint({
  summary: "Get a project by its id or full path",
  in: openProject(),
  response: one(entity),
  run: readProject,
});
export const PUT = endpoint({
  summary: "Edit a project",
  in: project({ atLeast: "maintainer" }),
  input: projectChanges,
  example: { description: "The code of the online shop" },
  response: one(entity),
  run: updateProject,
});
export const DELETE = endpoint({
  summary: "Delete a project and all its data",
  in: project({ atLeast: "owner" }),
  response: one(accepted, { status: 202 }),
  run: deleteProject,
});
export const OPTIONS = apiPreflight;
