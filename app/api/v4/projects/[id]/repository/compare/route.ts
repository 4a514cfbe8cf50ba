import { repository } from "@/code/api/access-rules";
import { compare, comparisonQuery } from "@/code/api/commits";
import { comparison } from "@/code/api/entities/repository";
import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "Compare two revisions",
  in: repository(),
  input: comparisonQuery,
  example: { from: "main", to: "topic" },
  response: one(comparison),
  run: compare,
});
export const OPTIONS = apiPreflight;
