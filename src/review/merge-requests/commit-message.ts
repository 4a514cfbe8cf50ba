import type { MergeRequest } from "./rules";

/** Returns the default message of a merge commit. */
export const mergeMessageOf = ({ sourceBranch, targetBranch, title, project, iid }: MergeRequest): string =>
  `Merge branch '${sourceBranch}' into '${targetBranch}'\n\n${title}\n\nSee merge request ${project.fullPath}!${iid}\n`;

/** Returns the default message of a squash commit. */
export const squashMessageOf = ({ title }: MergeRequest): string => `${title}\n`;
