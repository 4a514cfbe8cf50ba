import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { changeableMergeRequest } from "@/review/api/access-rules";
import { mergeRequestDetails } from "@/review/api/entities/merge-request";
import { cancelAutoMerge } from "@/review/api/merge";
import { mergeRequestReference } from "@/review/api/merge-request";
import { endpoint } from "@/server/rest-api";

export const POST = endpoint({
  summary: "Cancel automatic merging",
  in: changeableMergeRequest(),
  input: mergeRequestReference,
  response: one(mergeRequestDetails, { status: 201 }),
  run: cancelAutoMerge,
});
export const OPTIONS = apiPreflight;
