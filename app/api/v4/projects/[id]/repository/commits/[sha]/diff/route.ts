import { repository } from "@/code/api/access-rules";
import { commitReference, readCommitDiff } from "@/code/api/commits";
import { fileDiff } from "@/code/api/entities/repository";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "Get the diff of a commit",
  in: repository(),
  input: commitReference,
  response: list(fileDiff, { gitlabParameters: GITLAB_PARAMETERS.commit_diff, pagedBy: "number" }),
  run: readCommitDiff,
});
export const OPTIONS = apiPreflight;
