import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import type { Deps } from "@/kernel/deps/deps";
import { systemDeps } from "@/kernel/deps/deps";
import { pictureResponse, renderPicture } from "@/kernel/picture/uploaded-picture";
import * as store from "./avatar-store";

/**
 * Sets the avatar of a user. The uploaded picture is decoded and stored as a new square picture of 192 by 192
 * pixels.
 * @returns the digest of the new avatar, or the error message for a refused picture.
 */
export async function setAvatar(
  deps: Deps,
  user: User,
  file: Uint8Array,
): Promise<Readonly<{ digest: string }> | Readonly<{ problem: string }>> {
  const picture = await renderPicture(file, "cover");
  if ("problem" in picture) return picture;
  await deps.transaction(async (within) => {
    await store.put(within.db, user.id, { ...picture, createdAt: within.clock() });
    await recordChange(within, user);
  });
  return { digest: picture.digest };
}

/**
 * Removes the avatar of a user.
 * @returns whether the user had an avatar.
 */
export const removeAvatar = (deps: Deps, user: User): Promise<boolean> =>
  deps.transaction(async (within) => {
    if (!(await store.remove(within.db, user.id))) return false;
    await recordChange(within, user);
    return true;
  });

const recordChange = (deps: Deps, user: User): Promise<void> =>
  audit.record(deps, "profile.changed", { fields: ["avatar"] }, { userId: user.id });

type Context = Readonly<{ params: Promise<Readonly<Record<string, string | string[] | undefined>>> }>;

/**
 * `GET /uploads/-/system/user/avatar/:id/:file`: returns an avatar, which any site may show. The avatar is public, as in
 * GitLab.
 */
export async function getAvatar(_request: Request, { params }: Context): Promise<Response> {
  const { id, file } = await params;
  const [, userId = "0"] = /^([1-9]\d{0,8})$/.exec(String(id)) ?? [];
  const [, digest = ""] = /^([\da-f]{32})\.png$/.exec(String(file)) ?? [];
  const png = digest === "" ? null : await store.find(systemDeps().db, Number(userId), digest);
  return pictureResponse(png, "cross-origin");
}
