import { apiPreflight } from "@/oauth/api/cors";
import { readApprovals } from "@/review/api/approvals";
import { mergeRequestApprovals } from "@/review/api/entities/approval";
import { mergeRequestReference } from "@/review/api/merge-requests";
import { aboutCodeEndpoint } from "@/workspace/api/project-endpoint";

export const GET = aboutCodeEndpoint({
  summary: "The approvals of a merge request",
  input: mergeRequestReference,
  run: readApprovals,
  entity: mergeRequestApprovals,
});
export const OPTIONS = apiPreflight;
