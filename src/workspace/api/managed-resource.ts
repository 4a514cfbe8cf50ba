import type { Manager } from "@/workspace/access-tokens/rules";
import * as groups from "@/workspace/groups/service";
import * as projects from "@/workspace/projects/service";
import type { InGroup, InProject } from "./access-rules";

/** The project or group in the URL of a request, and the caller. */
export type InResource = InProject | InGroup;

/**
 * Returns the project or group in the URL of a request, and the caller with the caller's role in this project
 * or group.
 */
export function managerOf(context: InResource): Manager {
  const { user: by } = context;
  return "project" in context
    ? { resource: projects.resourceOf(context.project), by, held: context.project.role }
    : { resource: groups.resourceOf(context.group), by, held: context.group.role };
}
