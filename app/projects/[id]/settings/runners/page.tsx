import type { Metadata } from "next";
import { CreateRunner, RunnerList } from "@/fleet/runners/components/runner-list";
import { loadRunners } from "@/fleet/runners/loaders";
import type { Query } from "@/kernel/http/query";
import { PageHead } from "@/ui/page-shell";
import { SettingsTabs } from "@/workspace/projects/components/settings-tabs";
import { orNotFound } from "../../../../or-not-found";

export const metadata: Metadata = { title: "Runners" };

export default orNotFound(async function ProjectRunnersPage(props: {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<Query>;
}) {
  const { id } = await props.params;
  const page = await loadRunners({ kind: "project", id }, await props.searchParams);
  return (
    <>
      <PageHead
        title="Runners"
        about="Programs that execute the jobs of this project. The list includes runners of the project’s groups and of the instance."
        action={<CreateRunner url={page.url} />}
      />
      <SettingsTabs id={Number(page.place.id)} current="Runners" />
      <RunnerList {...page} />
    </>
  );
});
