import { userStateOf } from "@/access/principal";
import { roleOf } from "@/access/roles";
import type { Member } from "./rules";
import type * as sql from "./store.sql";

export const memberFrom = ({ role, user, ...row }: sql.MemberRow): Member => ({
  id: row.id,
  user: { ...user, state: userStateOf(user.state) },
  role: roleOf([role]) ?? "guest",
  createdAt: row.createdAt,
  expiresAt: row.expiresAt,
});

/** Returns the query condition that selects memberships that have not expired. */
export const current = (now: Date) => ({ OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] });
