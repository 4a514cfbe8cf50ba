import type { Metadata } from "next";
import { CodeHeading, EmptyRepository } from "@/code/repositories/components/code-heading";
import { CommitList } from "@/code/repositories/components/commit-list";
import { loadCommits } from "@/code/repositories/loaders";
import type { Query } from "@/kernel/http/query";
import { Pager } from "@/ui/pager";
import { StaticMarkup } from "@/ui/static-markup";
import { orNotFound } from "../../../or-not-found";

export const metadata: Metadata = { title: "Commits" };

type Props = { readonly params: Promise<{ readonly id: string }>; readonly searchParams: Promise<Query> };

export default orNotFound(async function CommitsPage({ params, searchParams }: Props) {
  const { head, commits, pager, now } = await loadCommits((await params).id, await searchParams);
  return (
    <StaticMarkup>
      <CodeHeading head={head} at="commits" />
      {head.isEmpty ? (
        <EmptyRepository head={head} />
      ) : (
        <CommitList project={head.location.project} commits={commits} now={now} />
      )}
      <Pager {...pager} newestFirst />
    </StaticMarkup>
  );
});
