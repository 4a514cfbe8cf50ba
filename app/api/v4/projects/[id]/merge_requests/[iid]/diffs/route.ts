import { fileDiff } from "@/code/api/entities/repository";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { diffAsk, listDiffs } from "@/review/api/merge-requests";
import { aboutCodeList } from "@/workspace/api/project-endpoint";

export const GET = aboutCodeList({
  summary: "What a merge request changes",
  gitlabParameters: GITLAB_PARAMETERS.merge_request_diffs,
  input: diffAsk,
  pagedBy: "number",
  run: listDiffs,
  entity: fileDiff,
});
export const OPTIONS = apiPreflight;
