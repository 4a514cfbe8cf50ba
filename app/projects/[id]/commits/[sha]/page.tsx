import type { Metadata } from "next";
import { CommitView } from "@/code/repositories/components/commit-view";
import { loadCommit } from "@/code/repositories/loaders";
import { orNotFound } from "../../../../or-not-found";

export const metadata: Metadata = { title: "Commit" };

type Props = { readonly params: Promise<{ readonly id: string; readonly sha: string }> };

export default orNotFound(async function CommitPage({ params }: Props) {
  const { id, sha } = await params;
  return <CommitView {...(await loadCommit(id, sha))} />;
});
