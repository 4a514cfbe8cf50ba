import { z } from "zod";
import { fileDiff } from "@/code/api/entities/repository";
import { defineTool, pageNumber, pagingOf, projectReference, shownPage, type Tool } from "@/http-api/tool";
import { MERGE_REQUEST_STATES } from "@/review/merge-requests/rules";
import { code } from "@/workspace/api/access-rules";
import { mergeRequest, mergeRequestDetails } from "./entities/merge-request";
import { mergeRequestInput, readMergeRequest } from "./merge-request";
import { diffInput, listDiffs } from "./merge-request-changes";
import { listMergeRequests, mergeRequestSearch } from "./merge-request-list";

const reference = z.object({
  project: projectReference,
  iid: z.int().positive().describe("The number of the merge request in its project."),
});

/** The MCP tools with which agents read merge requests. */
export const REVIEW_TOOLS: readonly Tool[] = [
  defineTool({
    name: "list_merge_requests",
    title: "List merge requests",
    description: "Lists the merge requests of a project, newest first.",
    in: code(),
    input: z.object({
      project: projectReference,
      state: z.enum([...MERGE_REQUEST_STATES, "all"]).default("opened"),
      page: pageNumber,
    }),
    run: async (deps, who, { state, page }, show) =>
      shownPage(
        show,
        mergeRequest,
        await listMergeRequests(deps, who, mergeRequestSearch.parse({ state }), pagingOf(page)),
      ),
  }),
  defineTool({
    name: "get_merge_request",
    title: "Get a merge request",
    description: "Returns a merge request with its description and its merge status.",
    in: code(),
    input: reference,
    run: async (deps, who, { iid }, show) =>
      Object(show(mergeRequestDetails, await readMergeRequest(deps, who, mergeRequestInput.parse({ iid })))),
  }),
  defineTool({
    name: "list_merge_request_diffs",
    title: "List the diffs of a merge request",
    description: "Lists the changed files of a merge request with their diffs.",
    in: code(),
    input: reference.extend({ page: pageNumber }),
    run: async (deps, who, { iid, page }, show) =>
      shownPage(show, fileDiff, await listDiffs(deps, who, diffInput.parse({ iid }), pagingOf(page))),
  }),
];
