import type { Metadata } from "next";
import type { Query } from "@/kernel/paging/keyset";
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
              It lies in <bdi>{parent.fullPath}</bdi>, and that one's members are its members.
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
            ? "What lies in it shows no more than the group itself."
            : "No more than the group it lies in."
        }
        submit="Create group"
        cancelTo={parent === null ? "/groups" : `/groups/${parent.id}`}
      />
    </>
  );
});
