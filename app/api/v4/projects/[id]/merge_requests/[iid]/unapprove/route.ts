import { apiPreflight } from "@/oauth/api/cors";
import { unapproveMergeRequest } from "@/review/api/approvals";
import { mergeRequestApprovals } from "@/review/api/entities/approval";
import { mergeRequestReference } from "@/review/api/merge-requests";
import { projectEndpoint } from "@/workspace/api/project-endpoint";

export const POST = projectEndpoint({
  summary: "Takes your approval of a merge request back",
  role: "developer",
  input: mergeRequestReference,
  status: 201,
  run: unapproveMergeRequest,
  entity: mergeRequestApprovals,
});
export const OPTIONS = apiPreflight;
