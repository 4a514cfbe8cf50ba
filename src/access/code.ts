import { type Role, reaches } from "./roles";
import type { Visibility } from "./visibility";

/** The least role that may read the code, packages and images of a private project. */
export const LEAST_TO_FETCH: Role = "reporter";

/** Whether a user may read the code of a project: everybody who sees an open one, and at least reporters of a private one. */
export const mayFetch = (visibility: Visibility, role: Role | null): boolean =>
  visibility !== "private" || reaches(role, LEAST_TO_FETCH);

/** Whether a user may change the code of a project. */
export const mayPush = (role: Role | null): boolean => reaches(role, "developer");
