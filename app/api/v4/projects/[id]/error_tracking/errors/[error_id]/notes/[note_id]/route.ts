import { commentReference, removeErrorComment } from "@/error-tracking/api/comments";
import { none } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";

export const DELETE = endpoint({
  summary:
    "Delete a comment on a tracked error, as its author or as a Maintainer (not part of GitLab; the format is that of GitLab notes)",
  in: project({ atLeast: "developer" }),
  input: commentReference,
  response: none(),
  run: removeErrorComment,
});
export const OPTIONS = apiPreflight;
