import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { rebaseState } from "@/review/api/entities/merge-request";
import { rebaseNow } from "@/review/api/merge";
import { mergeRequestReference } from "@/review/api/merge-request";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";

export const PUT = endpoint({
  summary: "Rebase the source branch onto the target branch",
  in: project({ atLeast: "developer" }),
  input: mergeRequestReference,
  response: one(rebaseState, { status: 202 }),
  run: rebaseNow,
});
export const OPTIONS = apiPreflight;
