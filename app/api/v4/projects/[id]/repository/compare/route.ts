import { apiPreflight } from "@/api/cors";
import { comparison } from "@/api/entities/repository";
import { codeEndpoint } from "@/api/project-endpoint";
import { compare, comparisonAsk } from "@/api/repository";

export const GET = codeEndpoint({
  summary: "What lies between two revisions",
  input: comparisonAsk,
  example: { from: "main", to: "topic" },
  run: compare,
  entity: comparison,
});
export const OPTIONS = apiPreflight;
