/** The types of access of a Git client to a repository. */
export type RepositoryUse = "fetch" | "push";

/** The name of the first branch of a new repository. */
export const FIRST_BRANCH = "main";

/**
 * The maximum length of the name of a branch or tag in bytes. Longer names may not fit into a database index or a file
 * name.
 */
export const REFERENCE_NAME_BYTES_MAX = 244;
