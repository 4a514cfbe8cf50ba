import type { AccessRule } from "@/http-api/access-rules";
import { forbidden } from "@/http-api/errors";
import { parsePath } from "@/http-api/input";
import { mayChange } from "@/review/merge-requests/rules";
import { byUser, code, type InProject } from "@/workspace/api/access-rules";
import { mergeRequestReference, requireMergeRequest } from "./merge-request";

/**
 * The access rule of the endpoints that change a merge request (`/projects/:id/merge_requests/:iid`):
 * developers of the project and the author have access.
 */
export const changeableMergeRequest = (): AccessRule<InProject> => ({
  audience: "the author of the merge request, and members with at least the developer role",
  admit: async (call) => {
    const context = byUser(call, await code().admit(call));
    const mergeRequest = await requireMergeRequest(
      call.deps,
      context,
      parsePath(mergeRequestReference, call.path),
    );
    if (!mayChange(mergeRequest, context.project.role, context.user)) throw forbidden();
    return context;
  },
});
