import { fileDiff } from "@/code/api/entities/repository";
import { commitReference, readCommitDiff } from "@/code/api/repository";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { apiPreflight } from "@/oauth/api/cors";
import { codeList } from "@/workspace/api/project-endpoint";

export const GET = codeList({
  summary: "What a commit changed",
  gitlabParameters: GITLAB_PARAMETERS.commit_diff,
  input: commitReference,
  pagedBy: "number",
  run: readCommitDiff,
  entity: fileDiff,
});
export const OPTIONS = apiPreflight;
