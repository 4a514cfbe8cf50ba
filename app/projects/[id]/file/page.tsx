import type { Metadata } from "next";
import { CodeHeading } from "@/code/repositories/components/code-heading";
import { FileView } from "@/code/repositories/components/file-view";
import { loadFile } from "@/code/repositories/loaders";
import type { Query } from "@/kernel/http/query";
import { orNotFound } from "../../../or-not-found";

export const metadata: Metadata = { title: "File" };

type Props = { readonly params: Promise<{ readonly id: string }>; readonly searchParams: Promise<Query> };

export default orNotFound(async function FilePage({ params, searchParams }: Props) {
  const page = await loadFile((await params).id, await searchParams);
  return (
    <>
      <CodeHeading head={page.head} at="file" />
      <FileView {...page} />
    </>
  );
});
