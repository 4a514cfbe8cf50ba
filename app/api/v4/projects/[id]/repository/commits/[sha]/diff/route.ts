import { apiPreflight } from "@/api/cors";
import { fileDiff } from "@/api/entities/repository";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { codeList } from "@/api/project-endpoint";
import { commitReference, readCommitDiff } from "@/api/repository";

export const GET = codeList({
  summary: "What a commit changed",
  gitlabParameters: GITLAB_PARAMETERS.commit_diff,
  input: commitReference,
  pagedBy: "number",
  run: readCommitDiff,
  entity: fileDiff,
});
export const OPTIONS = apiPreflight;
