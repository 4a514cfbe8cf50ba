import { one } from "@/http-api/answers";
import { accepted } from "@/identity/api/entities/accepted";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { projectDetails as entity } from "@/workspace/api/entities/project";
import { openProject, project } from "@/workspace/api/places";
import { deleteProject, projectChanges, readProject, updateProject } from "@/workspace/api/projects";

export const GET = endpoint({
  summary: "A project by id or full path",
  in: openProject(),
  answer: one(entity),
  run: readProject,
});
export const PUT = endpoint({
  summary: "Edits a project",
  in: project({ atLeast: "maintainer" }),
  input: projectChanges,
  example: { description: "What the shop sells" },
  answer: one(entity),
  run: updateProject,
});
export const DELETE = endpoint({
  summary: "Deletes a project with all its data",
  in: project({ atLeast: "owner" }),
  answer: one(accepted, { status: 202 }),
  run: deleteProject,
});
export const OPTIONS = apiPreflight;
