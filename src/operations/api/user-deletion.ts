import { z } from "zod";
import type { Principal } from "@/access/principal";
import { badRequest, conflict } from "@/http-api/errors";
import { flag, id, text } from "@/http-api/fields";
import { unlessRefused } from "@/identity/api/users";
import type { Deps } from "@/kernel/deps/deps";
import { deleteUserAsAdministrator } from "@/operations/administration/user-deletion";

export const userDeletion = z.object({
  id,
  hard_delete: flag
    .default(false)
    .describe("Also deletes the contributions of the user, and groups that have no other owner."),
  transfer_to: text(1_000)
    .optional()
    .describe(
      "The id or the full path of the group or user that receives the personal projects. Without this parameter, the personal projects are deleted. GitLab does not have this parameter.",
    ),
});

/**
 * Requests the deletion of a user. A job runs the deletion later.
 * @throws ApiError 400 if a project cannot be transferred, 403, 404, or 409 if the user is the only owner of
 * a group.
 */
export async function deleteUser(
  deps: Deps,
  { user }: Principal,
  { id, hard_delete, transfer_to = "" }: z.infer<typeof userDeletion>,
): Promise<null> {
  const options = { hard: hard_delete, transferTo: transfer_to };
  const refusal = await deleteUserAsAdministrator(deps, user, id, options);
  if (refusal === "sole_owner") throw conflict("User cannot be removed while is the sole-owner of a group");
  if (typeof refusal === "object" && refusal !== null) throw badRequest(refusal.problem);
  unlessRefused(refusal, {});
  return null;
}
