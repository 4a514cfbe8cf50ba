import { comparison } from "@/code/api/entities/repository";
import { compare, comparisonAsk } from "@/code/api/repository";
import { apiPreflight } from "@/oauth/api/cors";
import { codeEndpoint } from "@/workspace/api/project-endpoint";

export const GET = codeEndpoint({
  summary: "What lies between two revisions",
  input: comparisonAsk,
  example: { from: "main", to: "topic" },
  run: compare,
  entity: comparison,
});
export const OPTIONS = apiPreflight;
