import { type Role, reaches } from "./roles";
import type { Visibility } from "./visibility";

/** The lowest role that may read the source code, packages and container images of a private project. */
export const LEAST_TO_FETCH: Role = "reporter";

/**
 * Returns whether a user may read the source code of a project. Every viewer of an internal or public project
 * may read the source code of the project. In a private project, the user needs the role Reporter.
 */
export const mayFetch = (visibility: Visibility, role: Role | null): boolean =>
  visibility !== "private" || reaches(role, LEAST_TO_FETCH);

/** Returns whether a user may push to a project. */
export const mayPush = (role: Role | null): boolean => reaches(role, "developer");
