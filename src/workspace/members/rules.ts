import type { User } from "@/access/principal";
import { type Role, reaches } from "@/access/roles";

/** A member of a project or a group. */
export type Member = Readonly<{
  /** The id by which lists of members are sorted. */
  id: number;
  user: Pick<User, "id" | "username" | "name" | "state" | "avatarDigest">;
  role: Role;
  createdAt: Date;
  /** The time when the membership expires; null for a permanent membership. */
  expiresAt: Date | null;
}>;

/**
 * A project or a group, in which users can be members. `groupId` is the id of the group to which the project belongs.
 */
export type ProjectOrGroup =
  | Readonly<{ kind: "project"; id: number; groupId: number | null; fullPath: string }>
  | Readonly<{ kind: "group"; id: number; fullPath: string }>;

/** The minimum role for adding, editing and removing members. */
export const LEAST_TO_MANAGE: Readonly<Record<ProjectOrGroup["kind"], Role>> = {
  project: "maintainer",
  group: "owner",
};

/**
 * Returns whether a user with the role `held` may manage members who have or get these roles. Users can
 * manage only roles that are not higher than their own role.
 */
export const mayManage = (resource: ProjectOrGroup, held: Role | null, concerned: readonly Role[]): boolean =>
  reaches(held, LEAST_TO_MANAGE[resource.kind]) && concerned.every((role) => reaches(held, role));

/** The direct and the inherited membership of a user. One of the two memberships may be null. */
export type Membership = Readonly<{
  user: Member["user"];
  own: Readonly<{ role: Role; expiresAt: Date | null }> | null;
  /** The inherited membership with the highest role. */
  inherited: Readonly<{
    role: Role;
    expiresAt: Date | null;
    group: Readonly<{ id: number; fullPath: string }>;
  }> | null;
}>;

/** Returns the membership with the higher role. If both roles are equal, the result is the direct membership. */
export function effective({ own, inherited }: Membership): "own" | "inherited" {
  if (own === null) return "inherited";
  return inherited !== null && !reaches(own.role, inherited.role) ? "inherited" : "own";
}

export const groupIdOf = (resource: ProjectOrGroup): number | null =>
  resource.kind === "group" ? resource.id : resource.groupId;
