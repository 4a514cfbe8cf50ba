import { forbidden } from "@/http-api/errors";
import { parsePath } from "@/http-api/input";
import type { Place } from "@/http-api/places";
import { mayChange } from "@/review/merge-requests/rules";
import { byUser, code, type InProject } from "@/workspace/api/places";
import { mergeRequestReference, requireMergeRequest } from "./merge-request";

/** Below `/projects/:id/merge_requests/:iid`, for members who may change any merge request, and for its author. */
export const changeableMergeRequest = (): Place<InProject> => ({
  audience: "developer, or whoever opened it",
  admit: async (call) => {
    const who = byUser(call, await code().admit(call));
    const mergeRequest = await requireMergeRequest(
      call.deps,
      who,
      parsePath(mergeRequestReference, call.path),
    );
    if (!mayChange(mergeRequest, who.project.role, who.user)) throw forbidden();
    return who;
  },
});
