import { z } from "zod";
import { SORTS, STATUSES } from "@/error-tracking/tracked-errors/rules";
import { defineTool, pageNumber, pagingOf, projectReference, shownPage, type Tool } from "@/http-api/tool";
import { project } from "@/workspace/api/access-rules";
import { commentBody, createErrorComment, listErrorComments } from "./comments";
import { errorNote } from "./entities/error-note";
import { errorEvent, trackedError, trackedErrorDetails } from "./entities/tracked-error";
import { changeError, errorSearch, listErrors, listEvents, readError } from "./tracked-errors";

const reference = z.object({
  project: projectReference,
  error_id: z.int().positive().describe("The id of a tracked error."),
});

/** The tools of the MCP server for tracked errors. */
export const ERROR_TOOLS: readonly Tool[] = [
  defineTool({
    name: "list_errors",
    title: "List tracked errors",
    description: "Lists the tracked errors that the applications of a project have reported.",
    in: project({ atLeast: "reporter" }),
    input: z.object({
      project: projectReference,
      status: z.enum([...STATUSES, "all"]).default("unresolved"),
      query: z
        .string()
        .max(255)
        .optional()
        .describe("Return only tracked errors whose name, message or culprit contains this text."),
      sort: z.enum(SORTS).default("last_seen"),
      page: pageNumber,
    }),
    run: async (deps, who, { status, query, sort, page }, show) =>
      shownPage(
        show,
        trackedError,
        await listErrors(deps, who, errorSearch.parse({ status, query, sort }), pagingOf(page)),
      ),
  }),
  defineTool({
    name: "get_error",
    title: "Get a tracked error",
    description:
      "Returns a tracked error with its frequency, its latest event (including the stack trace), and its newest comments.",
    in: project({ atLeast: "reporter" }),
    input: reference,
    run: async (deps, who, { error_id }, show) => {
      const error = show(trackedErrorDetails, await readError(deps, who, { error_id }));
      const events = await listEvents(deps, who, { error_id }, { kind: "offset", page: 1, perPage: 1 });
      const comments = await listErrorComments(deps, who, { error_id, sort: "desc" }, pagingOf(1));
      return {
        error,
        latest_event: events.rows.map((event) => show(errorEvent, event))[0] ?? null,
        newest_comments: shownPage(show, errorNote, comments),
      };
    },
  }),
  defineTool({
    name: "set_error_status",
    title: "Resolve, ignore or reopen a tracked error",
    description: "Changes the status of a tracked error.",
    in: project({ atLeast: "developer" }),
    input: reference.extend({ status: z.enum(STATUSES) }),
    changes: true,
    run: async (deps, who, { error_id, status }, show) =>
      Object(show(trackedErrorDetails, await changeError(deps, who, { error_id, status }))),
  }),
  defineTool({
    name: "comment_on_error",
    title: "Comment on a tracked error",
    description:
      "Adds a comment to a tracked error. All members who can read the tracked error can read the comment.",
    in: project({ atLeast: "developer" }),
    input: reference.extend({ body: commentBody }),
    changes: true,
    run: async (deps, who, { error_id, body }, show) =>
      Object(show(errorNote, await createErrorComment(deps, who, { error_id, body }))),
  }),
];
