import type { User } from "@/access/principal";
import { type Role, reaches } from "@/access/roles";

/** Somebody's place in a project or a group. */
export type Member = Readonly<{
  /** Of the row; the lists are in its order. */
  id: number;
  user: Pick<User, "id" | "username" | "name" | "state">;
  role: Role;
  createdAt: Date;
  /** The day at whose begin it ends; null: never. */
  expiresAt: Date | null;
}>;

/** What somebody is a member of. A project is below its group, and below that one's groups. */
export type Place =
  | Readonly<{ kind: "project"; id: number; groupId: number | null; fullPath: string }>
  | Readonly<{ kind: "group"; id: number; fullPath: string }>;

/** Who may make and unmake members: in a group its owners, in a project its maintainers, too. */
export const LEAST_TO_MANAGE: Readonly<Record<Place["kind"], Role>> = {
  project: "maintainer",
  group: "owner",
};

/** Nobody gives, changes or takes away more than they have themselves. */
export const mayManage = (place: Place, held: Role | null, concerned: readonly Role[]): boolean =>
  reaches(held, LEAST_TO_MANAGE[place.kind]) && concerned.every((role) => reaches(held, role));

/** How somebody comes to be a member: by a membership right here, by one of a group above, or by both. */
export type Membership = Readonly<{
  user: Member["user"];
  own: Readonly<{ role: Role; expiresAt: Date | null }> | null;
  /** The highest of the inherited ones. */
  inherited: Readonly<{
    role: Role;
    expiresAt: Date | null;
    group: Readonly<{ id: number; fullPath: string }>;
  }> | null;
}>;

/** The one that counts: the higher, and the own one of two that are the same. */
export function effective({ own, inherited }: Membership): "own" | "inherited" {
  if (own === null) return "inherited";
  return inherited !== null && !reaches(own.role, inherited.role) ? "inherited" : "own";
}
