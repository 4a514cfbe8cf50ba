import { apiPreflight } from "@/api/cors";
import { fileDiff } from "@/api/entities/repository";
import { codeList } from "@/api/project-endpoint";
import { commitReference, readCommitDiff } from "@/api/repository";

export const GET = codeList({
  summary: "What a commit changed",
  input: commitReference,
  pagedBy: "number",
  run: readCommitDiff,
  entity: fileDiff,
});
export const OPTIONS = apiPreflight;
