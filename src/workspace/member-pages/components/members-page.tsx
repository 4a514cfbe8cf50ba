import { PageHead } from "@/ui/page-shell";
import { Pager } from "@/ui/pager";
import { SearchForm } from "@/ui/search-form";
import { mayManage } from "../../members/rules";
import { addMember } from "../actions";
import type { loadMembers } from "../loaders";
import { AddMemberForm } from "./add-member-form";
import { MemberList } from "./member-list";

const PAGER_LABELS = { newer: "Previous", older: "Next" };

/** The page that shows the members of a project or a group. */
export function MembersPage({
  resource,
  held,
  pager,
  search,
  url,
  ...list
}: Awaited<ReturnType<typeof loadMembers>>) {
  return (
    <>
      <PageHead
        title="Members"
        about={
          resource.kind === "group"
            ? "Members of this group are members of all its subgroups and projects."
            : "Members of the parent groups are members of this project."
        }
      />
      {held !== null && mayManage(resource, held, []) ? (
        <AddMemberForm action={addMember} resource={{ kind: resource.kind, id: resource.id }} held={held} />
      ) : null}
      <SearchForm action={url} label="Find a member" search={search} />
      <MemberList resource={resource} held={held} {...list} />
      <Pager {...pager} words={PAGER_LABELS} />
    </>
  );
}
