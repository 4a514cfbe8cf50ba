import type { Metadata } from "next";
import { Card } from "@/ui/card";
import { PageHead } from "@/ui/page-shell";
import { DeletedApplications } from "@/workspace/group-applications/components/deleted-applications";
import { loadDeletedApplications } from "@/workspace/group-applications/loaders";
import { changeGroup, removeGroup } from "@/workspace/groups/actions";
import { GroupForm } from "@/workspace/groups/components/group-form";
import { GroupSettingsTabs } from "@/workspace/groups/components/group-settings-tabs";
import { requireGroup } from "@/workspace/groups/loaders";
import { DeleteForm } from "@/workspace/projects/components/project-settings";
import { orNotFound } from "../../../or-not-found";

export const metadata: Metadata = { title: "Group settings" };

export default orNotFound(async function GroupSettingsPage(props: {
  readonly params: Promise<{ readonly id: string }>;
}) {
  const { group } = await requireGroup((await props.params).id, (home) => `${home}/settings`, "owner");
  const applications = await loadDeletedApplications((await props.params).id);
  const { id, name, path, fullPath, description, visibility } = group;
  return (
    <>
      <PageHead title="Settings" about="Name, description and visibility of the group." />
      <GroupSettingsTabs id={id} current="General" />
      <GroupForm
        action={changeGroup}
        id={id}
        draft={{ name, path, description, visibility }}
        hint="Projects and subgroups cannot be more visible than the group."
        submit="Save"
        cancelTo={`/groups/${id}`}
      />
      <Card
        danger
        title="Delete this group"
        about="Deletes the group with all its subgroups, projects and applications. You cannot undo the deletion."
      >
        {applications.count === 0 ? null : <DeletedApplications {...applications} />}
        <DeleteForm action={removeGroup} id={id} fullPath={fullPath} kind="group" />
      </Card>
    </>
  );
});
