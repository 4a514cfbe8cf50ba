/** The types of access that a Git client can request to a repository. */
export type RepositoryUse = "fetch" | "push";

/** The name of the first branch of a new repository. */
export const FIRST_BRANCH = "main";

/**
 * The maximum length, in bytes, of the name of a branch or tag. Longer names may not fit into a database
 * index or a file name.
 */
export const REFERENCE_NAME_BYTES_MAX = 244;
