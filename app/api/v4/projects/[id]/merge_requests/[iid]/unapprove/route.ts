import { unapproveMergeRequest } from "@/api/approvals";
import { apiPreflight } from "@/api/cors";
import { mergeRequestApprovals } from "@/api/entities/approval";
import { mergeRequestReference } from "@/api/merge-requests";
import { projectEndpoint } from "@/api/project-endpoint";

export const POST = projectEndpoint({
  summary: "Takes your approval of a merge request back",
  role: "developer",
  input: mergeRequestReference,
  status: 201,
  run: unapproveMergeRequest,
  entity: mergeRequestApprovals,
});
export const OPTIONS = apiPreflight;
