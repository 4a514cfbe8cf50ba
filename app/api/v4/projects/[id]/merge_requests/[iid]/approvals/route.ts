import { readApprovals } from "@/api/approvals";
import { apiPreflight } from "@/api/cors";
import { mergeRequestApprovals } from "@/api/entities/approval";
import { mergeRequestReference } from "@/api/merge-requests";
import { aboutCodeEndpoint } from "@/api/project-endpoint";

export const GET = aboutCodeEndpoint({
  summary: "The approvals of a merge request",
  input: mergeRequestReference,
  run: readApprovals,
  entity: mergeRequestApprovals,
});
export const OPTIONS = apiPreflight;
