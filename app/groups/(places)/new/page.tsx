import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import { PageHead } from "@/ui/page-shell";
import { createGroup } from "@/workspace/groups/actions";
import { GroupForm } from "@/workspace/groups/components/group-form";
import { loadNewGroup } from "@/workspace/groups/loaders";
import { orNotFound } from "../../../or-not-found";

export const metadata: Metadata = { title: "New group" };

export default orNotFound(async function NewGroupPage({
  searchParams,
}: {
  readonly searchParams: Promise<Query>;
}) {
  const parent = await loadNewGroup(await searchParams);
  return (
    <>
      <PageHead
        title="New group"
        about={
          parent === null ? undefined : (
            <>
              A subgroup of <bdi>{parent.fullPath}</bdi>. Members of the parent group are members of the
              subgroup.
            </>
          )
        }
      />
      <GroupForm
        action={createGroup}
        draft={{ name: "", path: "", description: "", visibility: parent?.visibility ?? "private" }}
        {...(parent === null ? {} : { parent: parent.id })}
        hint={
          parent === null
            ? "Projects and subgroups cannot be more visible than the group."
            : "A subgroup cannot be more visible than its parent group."
        }
        submit="Create group"
        cancelTo={parent === null ? "/groups" : `/groups/${parent.id}`}
      />
    </>
  );
});
