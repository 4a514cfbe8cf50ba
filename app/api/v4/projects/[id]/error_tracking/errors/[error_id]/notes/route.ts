import {
  commentSearch,
  createErrorComment,
  listErrorComments,
  newComment,
} from "@/error-tracking/api/comments";
import { errorNote } from "@/error-tracking/api/entities/error-note";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "List the comments on a tracked error (not part of GitLab; the format is that of GitLab notes)",
  in: project({ atLeast: "reporter" }),
  input: commentSearch,
  response: list(errorNote, { gitlabParameters: GITLAB_PARAMETERS.note_list, pagedBy: "number" }),
  run: listErrorComments,
});
export const POST = endpoint({
  summary: "Comment on a tracked error (not part of GitLab; the format is that of GitLab notes)",
  in: project({ atLeast: "developer" }),
  input: newComment,
  response: one(errorNote, { status: 201 }),
  run: createErrorComment,
});
export const OPTIONS = apiPreflight;
