import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { unapproveMergeRequest } from "@/review/api/approvals";
import { mergeRequestApprovals } from "@/review/api/entities/approval";
import { mergeRequestReference } from "@/review/api/merge-request";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";

export const POST = endpoint({
  summary: "Revoke your approval of a merge request",
  in: project({ atLeast: "developer" }),
  input: mergeRequestReference,
  response: one(mergeRequestApprovals, { status: 201 }),
  run: unapproveMergeRequest,
});
export const OPTIONS = apiPreflight;
