import { z } from "zod";
import type { Principal, User } from "@/access/principal";
import { ApiError } from "@/http-api/errors";
import { file } from "@/http-api/fields";
import type { Deps } from "@/kernel/deps/deps";
import { removeAvatar, setAvatar } from "../users/avatar";

export const avatarChange = z.object({
  avatar: z
    .union([file, z.literal("")])
    .meta({ type: "string", format: "binary" })
    .describe("A PNG, JPEG, WebP or GIF image in multipart/form-data; empty to remove the avatar."),
});

/**
 * Sets or removes the avatar of the current user.
 * @throws ApiError 400 for a file that is not an image.
 */
export async function changeAvatar(
  deps: Deps,
  { user }: Principal,
  { avatar }: z.infer<typeof avatarChange>,
): Promise<Pick<User, "id" | "avatarDigest">> {
  if (avatar === "") {
    await removeAvatar(deps, user);
    return { id: user.id, avatarDigest: null };
  }
  const outcome = await setAvatar(deps, user, avatar);
  if ("problem" in outcome) throw new ApiError(400, { message: { avatar: [outcome.problem] } });
  return { id: user.id, avatarDigest: outcome.digest };
}
