import type { Metadata } from "next";
import { CreateRunner, RunnerList } from "@/fleet/runners/components/runner-list";
import { loadRunners } from "@/fleet/runners/loaders";
import type { Query } from "@/kernel/http/query";
import { PageHead } from "@/ui/page-shell";

export const metadata: Metadata = { title: "Runners" };

export default async function InstanceRunnersPage(props: { readonly searchParams: Promise<Query> }) {
  const page = await loadRunners({ kind: "instance", id: "" }, await props.searchParams);
  return (
    <>
      <PageHead
        title="Runners"
        about="All runners of this instance. Instance runners execute the jobs of all projects."
        action={<CreateRunner url={page.url} />}
      />
      <RunnerList {...page} />
    </>
  );
}
