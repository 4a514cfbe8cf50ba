import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import { ApplicationList } from "@/oauth/own-applications/components/application-list";
import { ButtonLink } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { PageHead } from "@/ui/page-shell";
import { loadGroupApplications } from "@/workspace/group-applications/loaders";
import { GroupSettingsTabs } from "@/workspace/groups/components/group-settings-tabs";
import { orNotFound } from "../../../../or-not-found";

export const metadata: Metadata = { title: "Applications of the group" };

export default orNotFound(async function GroupApplicationsPage(props: {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<Query>;
}) {
  const { group, page } = await loadGroupApplications((await props.params).id, await props.searchParams);
  const register = (
    <ButtonLink kind="primary" href={`${page.path}/new`}>
      Register an application
    </ButtonLink>
  );
  return (
    <>
      <PageHead
        title="Applications"
        about="Applications that the group owns. Every Owner of the group can manage these applications."
        action={page.total === 0 && page.search === "" ? undefined : register}
      />
      <GroupSettingsTabs id={group.id} current="Applications" />
      <ApplicationList
        page={page}
        empty={
          <EmptyState title="The group has no applications yet" action={register}>
            Applications of a group keep working when the user who registered them leaves. Every Owner of the
            group can edit these applications, and transfer them to another owner.
          </EmptyState>
        }
      />
    </>
  );
});
