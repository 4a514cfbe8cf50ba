import { z } from "zod";
import { instance } from "@/http-api/access-rules";
import { defineTool, pageNumber, pagingOf, projectReference, shownPage, type Tool } from "@/http-api/tool";
import { openProject } from "./access-rules";
import { project, projectDetails } from "./entities/project";
import { listProjects, projectSearch, readProject } from "./projects";

/** The tools of the MCP server that read projects. */
export const WORKSPACE_TOOLS: readonly Tool[] = [
  defineTool({
    name: "list_projects",
    title: "List projects",
    description: "Lists the projects that the user can see, newest first.",
    in: instance(),
    input: z.object({
      search: z.string().max(255).optional().describe("A part of the name or of the path."),
      membership: z
        .boolean()
        .default(true)
        .describe("Whether to list only projects of which the user is a member."),
      page: pageNumber,
    }),
    run: async (deps, caller, { search, membership, page }, show) =>
      shownPage(
        show,
        project,
        await listProjects(deps, caller, projectSearch.parse({ search, membership }), pagingOf(page)),
      ),
  }),
  defineTool({
    name: "get_project",
    title: "Get a project",
    description: "Returns a project with its description, its default branch and its URLs.",
    in: openProject(),
    input: z.object({ project: projectReference }),
    run: async (deps, who, _input, show) => Object(show(projectDetails, readProject(deps, who))),
  }),
];
