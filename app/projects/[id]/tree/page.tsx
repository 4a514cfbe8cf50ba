import type { Metadata } from "next";
import { CodeHeading, EmptyRepository } from "@/code/repositories/components/code-heading";
import { FolderView } from "@/code/repositories/components/folder-view";
import { loadTree } from "@/code/repositories/loaders";
import type { Query } from "@/kernel/http/query";
import { orNotFound } from "../../../or-not-found";

export const metadata: Metadata = { title: "Code" };

type Props = { readonly params: Promise<{ readonly id: string }>; readonly searchParams: Promise<Query> };

export default orNotFound(async function TreePage({ params, searchParams }: Props) {
  const { head, folder, now } = await loadTree((await params).id, await searchParams);
  return (
    <>
      <CodeHeading head={head} at="tree" />
      {folder === null ? (
        <EmptyRepository head={head} />
      ) : (
        <FolderView location={head.location} folder={folder} now={now} />
      )}
    </>
  );
});
