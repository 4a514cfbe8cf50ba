/** What Git wants to do with a repository. */
export type RepositoryUse = "fetch" | "push";

/** What a new repository calls its first branch. */
export const FIRST_BRANCH = "main";

/** A database index and a file name hold a name of a branch of this length. */
export const REFERENCE_NAME_BYTES_MAX = 244;
