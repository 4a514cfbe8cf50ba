import type { Metadata } from "next";
import { Card } from "@/ui/card";
import { PageHead } from "@/ui/page-shell";
import { changeGroup, removeGroup } from "@/workspace/groups/actions";
import { GroupForm } from "@/workspace/groups/components/group-form";
import { requireGroup } from "@/workspace/groups/loaders";
import { RemoveForm } from "@/workspace/projects/components/project-settings";
import { orNotFound } from "../../../or-not-found";

export const metadata: Metadata = { title: "Group settings" };

export default orNotFound(async function GroupSettingsPage(props: {
  readonly params: Promise<{ readonly id: string }>;
}) {
  const { group } = await requireGroup((await props.params).id, (home) => `${home}/settings`, "owner");
  const { id, name, path, fullPath, description, visibility } = group;
  return (
    <>
      <PageHead title="Settings" about="What the group is called, and who sees it." />
      <GroupForm
        action={changeGroup}
        id={id}
        draft={{ name, path, description, visibility }}
        hint="What lies in it shows no more than the group itself."
        submit="Save"
        cancelTo={`/groups/${id}`}
      />
      <Card
        title="Remove this group"
        about="All groups and projects in it go with it, with their errors and members. This cannot be undone."
      >
        <RemoveForm action={removeGroup} id={id} fullPath={fullPath} thing="group" />
      </Card>
    </>
  );
});
