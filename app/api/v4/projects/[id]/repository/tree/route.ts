import { apiPreflight } from "@/api/cors";
import { treeEntry } from "@/api/entities/repository";
import { codeList } from "@/api/project-endpoint";
import { readTree, treeSearch } from "@/api/repository";

export const GET = codeList({
  summary: "What is in a folder of the repository",
  input: treeSearch,
  pagedBy: "number",
  run: readTree,
  entity: treeEntry,
});
export const OPTIONS = apiPreflight;
