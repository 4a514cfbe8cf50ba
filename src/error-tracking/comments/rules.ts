import { type Role, reaches } from "@/access/roles";
import { LEAST_TO_CHANGE_STATUS } from "../tracked-errors/rules";

/** The maximum length of a comment, in characters of its Markdown. */
export const COMMENT_CHARACTERS_MAX = 10_000;

/** The maximum number of comments on a tracked error. */
export const COMMENTS_MAX = 500;

/**
 * The minimum role to comment on a tracked error. The role is the same as the minimum role to change the
 * status of tracked errors.
 */
export const LEAST_TO_COMMENT = LEAST_TO_CHANGE_STATUS;

/** The minimum role to delete the comments of other users. */
const LEAST_TO_REMOVE = "maintainer";

/**
 * Returns whether a user with this role may delete a comment. Maintainers of the project may delete every
 * comment. Other users may delete their own comments if their role allows them to comment.
 */
export const mayRemoveComment = (
  authorId: number,
  { userId, role }: Readonly<{ userId: number; role: Role | null }>,
): boolean => reaches(role, LEAST_TO_REMOVE) || (authorId === userId && reaches(role, LEAST_TO_COMMENT));
