import { fileDiff } from "@/code/api/entities/repository";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { diffInput, listDiffs } from "@/review/api/merge-request-changes";
import { endpoint } from "@/server/rest-api";
import { code } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "List the diffs of a merge request",
  in: code(),
  input: diffInput,
  response: list(fileDiff, { gitlabParameters: GITLAB_PARAMETERS.merge_request_diffs, pagedBy: "number" }),
  run: listDiffs,
});
export const OPTIONS = apiPreflight;
