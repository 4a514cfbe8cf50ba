import { apiPreflight } from "@/api/cors";
import { fileDiff } from "@/api/entities/repository";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { diffAsk, listDiffs } from "@/api/merge-requests";
import { aboutCodeList } from "@/api/project-endpoint";

export const GET = aboutCodeList({
  summary: "What a merge request changes",
  gitlabParameters: GITLAB_PARAMETERS.merge_request_diffs,
  input: diffAsk,
  pagedBy: "number",
  run: listDiffs,
  entity: fileDiff,
});
export const OPTIONS = apiPreflight;
