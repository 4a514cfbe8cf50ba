import { text } from "@/kernel/db/column-types";
import type { Prisma } from "@/kernel/db/generated/sqlite/client";
import { optional } from "@/kernel/db/statement";
import type { ApplicationOwner } from "./rules";

type OwnerRow = Readonly<{
  owner: Readonly<{ id: number; username: string; name: string; admin: boolean }> | null;
  group: Readonly<{ id: number; fullPath: string; name: string }> | null;
}>;

/**
 * The text that is shown instead of the owner, for a client with a metadata document or a dynamic
 * registration. The text completes a sentence that begins with "by".
 */
const NOBODY = "nobody (not registered here)";

/** Returns the owner of an application: a user, a group, or nobody. */
export function ownerFrom({ owner, group }: OwnerRow): ApplicationOwner {
  if (owner !== null)
    return {
      kind: owner.admin ? "instance" : "user",
      id: owner.id,
      path: owner.username,
      name: owner.name,
    };
  if (group !== null) return { kind: "group", id: group.id, path: group.fullPath, name: group.name };
  return { kind: "nobody", id: 0, path: NOBODY, name: "Nobody" };
}

/** The columns that `ownerPathOf` needs. */
export const ownerPathColumns = {
  owner: { select: { username: true } },
  group: { select: { fullPath: true } },
} as const satisfies Prisma.ApplicationSelect;

/** The columns that `ownerPathOf` needs, for a statement with `OWNER_PATH_JOINS`. */
export const OWNER_PATH_COLUMNS = {
  owner: optional({ username: [`o."username"`, text] }),
  group: optional({ fullPath: [`w."fullPath"`, text] }),
} as const;
/** Joins the owner of an application `a`. */
export const OWNER_PATH_JOINS = `
  LEFT JOIN "User" o ON o."id" = a."ownerId" LEFT JOIN "Group" w ON w."id" = a."groupId"`;

/** The columns that name the owner of an application. */
export type OwnerPath = Readonly<{
  owner: Readonly<{ username: string }> | null;
  group: Readonly<{ fullPath: string }> | null;
}>;

/**
 * Returns the username or the full path of the owner of an application; a fixed text for an application
 * without an owner.
 */
export const ownerPathOf = ({ owner, group }: OwnerPath): string =>
  owner?.username ?? group?.fullPath ?? NOBODY;
