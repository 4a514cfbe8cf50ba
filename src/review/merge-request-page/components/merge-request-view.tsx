import { codePageUrl } from "@/code/repositories/code-url";
import { CommitList } from "@/code/repositories/components/commit-list";
import { Changes } from "@/code/repositories/components/commit-view";
import { SectionNav } from "@/ui/section-nav";
import type { loadMergeRequest } from "../loaders";
import { MergeCard } from "./merge-card";
import { MergeRequestHead } from "./merge-request-head";

type Page = Awaited<ReturnType<typeof loadMergeRequest>>;

/**
 * The content of the page of a merge request: the title, the merge status, the commits and the changed files.
 */
export function MergeRequestView(page: Page) {
  const { project, mergeRequest, commits, hasMoreCommits, diffs, overflow, now } = page;
  return (
    <>
      <MergeRequestHead {...page} />
      <SectionNav
        sections={[
          { id: "section-commits", label: "Commits" },
          { id: "section-changes", label: "Changes" },
        ]}
      />
      <MergeCard {...page} />
      <h2 id="section-commits" className="font-semibold">
        {commits.length === 0 ? "No commits" : "Commits"}
      </h2>
      {commits.length === 0 ? null : <CommitList project={project} commits={commits} now={now} />}
      {hasMoreCommits ? (
        <a href={codePageUrl("commits", { project, ref: mergeRequest.headSha, path: "" })}>All commits</a>
      ) : null}
      <h2 id="section-changes" className="font-semibold">
        {changedFilesText(diffs.length, overflow)}
      </h2>
      <Changes diffs={diffs} overflow={overflow} />
    </>
  );
}

function changedFilesText(files: number, overflow: boolean): string {
  if (files === 0) return "No changed files";
  const count = files.toLocaleString("en");
  return `${overflow ? "At least " : ""}${count} changed file${files === 1 ? "" : "s"}`;
}
