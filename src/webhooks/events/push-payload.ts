import { branchRights } from "@/code/protected-branches/service";
import type { Commit } from "@/code/repositories/commit";
import { commitsSince, countBetween } from "@/code/repositories/commit";
import { type CommitFiles, readCommitFiles } from "@/code/repositories/commit-files";
import { findCommit } from "@/code/repositories/revision";
import type { Deps } from "@/kernel/deps/deps";
import { type ProjectFacts, projectFields, repositoryFields, userFields } from "./common-fields";
import type { PushSource } from "./sources";

const COMMITS_MAX = 20;

const isNothing = (id: string): boolean => /^0+$/.test(id);

/** Returns the body of a push event in GitLab's format. */
export async function pushPayload(deps: Deps, source: PushSource, facts: ProjectFacts) {
  const { project, user } = facts;
  const { ref, before, after } = source;
  const isTag = ref.startsWith("refs/tags/");
  const checkout = isNothing(after) ? null : await findCommit(deps, project, after);
  const isNewTag = isTag && isNothing(before);
  const range = { from: isNothing(before) ? null : before, to: checkout ?? "" };
  const commits =
    checkout === null || isNewTag
      ? []
      : await commitsSince(deps, project, { ...range, skip: 0, most: COMMITS_MAX });
  const total = commits.length < COMMITS_MAX ? commits.length : await countBetween(deps, project, range);
  const files = await readCommitFiles(
    deps,
    project,
    commits.map(({ hash }) => hash),
  );
  const { isProtected } = isTag
    ? { isProtected: false }
    : await branchRights(deps, { id: project.id, role: null }, ref.replace(/^refs\/heads\//, ""));
  const { issuer } = deps.config;
  const { id, name, username, avatar_url } = userFields(user, issuer);
  const kind = isTag ? "tag_push" : "push";
  return {
    object_kind: kind,
    event_name: kind,
    ...{ before, after, ref },
    ref_protected: isProtected,
    checkout_sha: checkout,
    message: null,
    ...{ user_id: id, user_name: name, user_username: username, user_email: null, user_avatar: avatar_url },
    project_id: project.id,
    project: projectFields(facts, issuer),
    commits: commits
      .toReversed()
      .map((commit) => commitFields(commit, facts, issuer, files.get(commit.hash))),
    total_commits_count: total,
    push_options: {},
    repository: repositoryFields(facts, issuer),
  };
}

/** Returns a commit in the format of push and merge request events. */
export const commitFields = (
  { hash, message, author }: Commit,
  { project }: Pick<ProjectFacts, "project">,
  issuer: string,
  files?: CommitFiles,
) => ({
  id: hash,
  message,
  title: message.split("\n", 1)[0] ?? "",
  timestamp: author.at.toISOString(),
  url: `${issuer}/${project.fullPath}/-/commit/${hash}`,
  author: { name: author.name, email: author.email },
  ...(files === undefined ? {} : files),
});
