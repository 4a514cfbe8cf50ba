import { apiPreflight } from "@/api/cors";
import { tag } from "@/api/entities/repository";
import { codeList } from "@/api/project-endpoint";
import { listTags, nameSearch } from "@/api/repository";

export const GET = codeList({
  summary: "The tags, the newest first",
  input: nameSearch,
  pagedBy: "number",
  run: listTags,
  entity: tag,
});
export const OPTIONS = apiPreflight;
