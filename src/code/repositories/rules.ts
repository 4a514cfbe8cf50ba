import { type Role, reaches } from "@/access/roles";
import type { Visibility } from "@/access/visibility";

/** What Git wants to do with a repository. */
export type RepositoryUse = "fetch" | "push";

/** What somebody must be to read the code of a private project. */
export const LEAST_TO_FETCH: Role = "reporter";

/** Whoever sees an open project reads its code; in a private one, that needs more than being a guest. */
export const mayFetch = (visibility: Visibility, role: Role | null): boolean =>
  visibility !== "private" || reaches(role, LEAST_TO_FETCH);

export const mayPush = (role: Role | null): boolean => reaches(role, "developer");

/** What a new repository calls its first branch. */
export const FIRST_BRANCH = "main";

/** A database index and a file name hold a name of a branch of this length. */
export const REFERENCE_NAME_BYTES_MAX = 244;
