import type { MergeRequest } from "@/review/merge-requests/rules";
import type { Changes } from "./sources";

/** The fields of a merge request for which an event lists the changes, under the names that GitLab uses. */
const FIELDS: Readonly<Record<string, (mergeRequest: MergeRequest) => unknown>> = {
  title: ({ title }) => title,
  description: ({ description }) => description,
  target_branch: ({ targetBranch }) => targetBranch,
  draft: ({ draft }) => draft,
  state_id: ({ state }) => (state === "opened" ? 1 : 2),
  labels: ({ labels }) => labels.map((name) => ({ title: name })),
  assignees: ({ assignees }) => assignees.map(({ id, name, username }) => ({ id, name, username })),
  reviewers: ({ reviewers }) => reviewers.map(({ id, name, username }) => ({ id, name, username })),
};

/** Returns the changed fields of a merge request, with the values before and after the change. */
export const changesOf = (before: MergeRequest, after: MergeRequest): Changes =>
  Object.fromEntries(
    Object.entries(FIELDS).flatMap(([field, read]) => {
      const [previous, current] = [read(before), read(after)];
      return JSON.stringify(previous) === JSON.stringify(current) ? [] : [[field, { previous, current }]];
    }),
  );
