import { z } from "zod";
import { ALL_ROLES } from "@/access/roles";

const mappedRoles = z.record(z.string().regex(/^\d+$/), z.enum(ALL_ROLES as [Role, ...Role[]])).catch({});
type Role = (typeof ALL_ROLES)[number];

/**
 * The roles that the group mapping gave to a user: the id of each group, and the role of the user in the
 * group.
 */
export type MappedRoles = Readonly<Record<string, Role>>;

/** Parses the stored roles that the group mapping gave to a user. */
export const readMappedRoles = (json: string): MappedRoles => mappedRoles.parse(JSON.parse(json));
