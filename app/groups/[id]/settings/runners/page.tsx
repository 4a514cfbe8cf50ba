import type { Metadata } from "next";
import { CreateRunner, RunnerList } from "@/fleet/runners/components/runner-list";
import { loadRunners } from "@/fleet/runners/loaders";
import type { Query } from "@/kernel/http/query";
import { PageHead } from "@/ui/page-shell";
import { GroupSettingsTabs } from "@/workspace/groups/components/group-settings-tabs";
import { orNotFound } from "../../../../or-not-found";

export const metadata: Metadata = { title: "Runners" };

export default orNotFound(async function GroupRunnersPage(props: {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<Query>;
}) {
  const { id } = await props.params;
  const page = await loadRunners({ kind: "group", id }, await props.searchParams);
  return (
    <>
      <PageHead
        title="Runners"
        about="Programs that execute the jobs of the projects in this group. The list includes inherited runners and instance runners."
        action={<CreateRunner url={page.url} />}
      />
      <GroupSettingsTabs id={Number(page.place.id)} current="Runners" />
      <RunnerList {...page} />
    </>
  );
});
