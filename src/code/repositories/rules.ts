/** The use that a Git client makes of a repository. */
export type RepositoryUse = "fetch" | "push";

/** The name of the first branch of a new repository. */
export const FIRST_BRANCH = "main";

/** The longest name of a branch or tag. It fits into a database index and a file name. */
export const REFERENCE_NAME_BYTES_MAX = 244;
