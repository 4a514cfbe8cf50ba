import type { User } from "@/access/principal";
import { type Role, reaches } from "@/access/roles";

/** A member of a project or a group. */
export type Member = Readonly<{
  /** The id of the row, which determines the order of lists. */
  id: number;
  user: Pick<User, "id" | "username" | "name" | "state">;
  role: Role;
  createdAt: Date;
  /** The time at which the membership expires; null for a permanent membership. */
  expiresAt: Date | null;
}>;

/** A project or a group, which has members. `groupId`: the group of a project. */
export type Place =
  | Readonly<{ kind: "project"; id: number; groupId: number | null; fullPath: string }>
  | Readonly<{ kind: "group"; id: number; fullPath: string }>;

/** The lowest role that may add, change and remove members. */
export const LEAST_TO_MANAGE: Readonly<Record<Place["kind"], Role>> = {
  project: "maintainer",
  group: "owner",
};

/** Returns whether a role may manage members with these roles. No role higher than the own role can be managed. */
export const mayManage = (place: Place, held: Role | null, concerned: readonly Role[]): boolean =>
  reaches(held, LEAST_TO_MANAGE[place.kind]) && concerned.every((role) => reaches(held, role));

/** The direct and the inherited membership of a user. At least one of them is not null. */
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

/** Returns the membership with the higher role; the direct membership if both roles are equal. */
export function effective({ own, inherited }: Membership): "own" | "inherited" {
  if (own === null) return "inherited";
  return inherited !== null && !reaches(own.role, inherited.role) ? "inherited" : "own";
}
