import { apiPreflight } from "@/api/cors";
import { fileDiff } from "@/api/entities/repository";
import { diffAsk, listDiffs } from "@/api/merge-requests";
import { aboutCodeList } from "@/api/project-endpoint";

export const GET = aboutCodeList({
  summary: "What a merge request changes",
  input: diffAsk,
  pagedBy: "number",
  run: listDiffs,
  entity: fileDiff,
});
export const OPTIONS = apiPreflight;
