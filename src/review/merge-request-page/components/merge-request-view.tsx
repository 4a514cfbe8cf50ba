import { codePageUrl } from "@/code/repositories/code-url";
import { CommitList } from "@/code/repositories/components/commit-list";
import { Changes } from "@/code/repositories/components/commit-view";
import type { loadMergeRequest } from "../loaders";
import { MergeCard } from "./merge-card";
import { MergeRequestHead } from "./merge-request-head";

type Page = Awaited<ReturnType<typeof loadMergeRequest>>;

/** A merge request: what it is, whether it can be merged, its commits and what they change. */
export function MergeRequestView(page: Page) {
  const { project, one, hasBranch, commits, hasMoreCommits, diffs, overflow, now } = page;
  return (
    <>
      <MergeRequestHead one={one} project={project} hasBranch={hasBranch} now={now} />
      <MergeCard {...page} />
      <h2 className="font-semibold">{commits.length === 0 ? "No commits" : "Commits"}</h2>
      {commits.length === 0 ? null : <CommitList project={project} commits={commits} now={now} />}
      {hasMoreCommits ? (
        <a href={codePageUrl("commits", { project, ref: one.headSha, path: "" })}>All commits</a>
      ) : null}
      <h2 className="font-semibold">{changedWords(diffs.length, overflow)}</h2>
      <Changes diffs={diffs} overflow={overflow} />
    </>
  );
}

function changedWords(files: number, overflow: boolean): string {
  if (files === 0) return "It changes no files";
  const count = files.toLocaleString("en");
  return `It changes ${overflow ? "at least " : ""}${count} file${files === 1 ? "" : "s"}`;
}
