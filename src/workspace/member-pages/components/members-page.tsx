import { PageHead } from "@/ui/page-shell";
import { Pager } from "@/ui/pager";
import { SearchForm } from "@/ui/search-form";
import { mayManage } from "../../members/rules";
import { addMember } from "../actions";
import type { loadMembers } from "../loaders";
import { AddMemberForm } from "./add-member-form";
import { MemberList } from "./member-list";

const WORDS = { newer: "Previous", older: "Next" };

/** The members of a project or of a group: the same page for both. */
export function MembersPage({
  place,
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
          place.kind === "group"
            ? "They are members of everything in this group, too."
            : "Members of a group above this project are its members, too."
        }
      />
      {held !== null && mayManage(place, held, []) ? (
        <AddMemberForm action={addMember} place={{ kind: place.kind, id: place.id }} held={held} />
      ) : null}
      <SearchForm action={url} label="Find a member" search={search} />
      <MemberList place={place} held={held} {...list} />
      <Pager {...pager} words={WORDS} />
    </>
  );
}
