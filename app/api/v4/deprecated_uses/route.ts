import { apiPreflight } from "@/api/cors";
import { listUses, useSearch } from "@/api/deprecated-uses";
import { apiList } from "@/api/endpoint";
import { deprecatedUse } from "@/api/entities/deprecated-use";

export const GET = apiList({
  summary: "What programs used that v5 has not: how often and when last",
  input: useSearch,
  pagedBy: "number",
  run: listUses,
  entity: deprecatedUse,
});
export const OPTIONS = apiPreflight;
