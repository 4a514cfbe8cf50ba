import { PageHead } from "@/ui/page-shell";
import { Pager } from "@/ui/pager";
import { SearchForm } from "@/ui/search-form";
import { StaticMarkup } from "@/ui/static-markup";
import { InvitationList } from "../../invitations/components/invitation-list";
import { InviteForm } from "../../invitations/components/invite-form";
import { aboutInvitations } from "../../invitations/labels";
import { mayManage } from "../../members/rules";
import { addMember, inviteMember, resendInvitationOfMember, revokeInvitationOfMember } from "../actions";
import type { loadMembers } from "../loaders";
import { AddMemberForm } from "./add-member-form";
import { MemberList } from "./member-list";
import { ExpiryField, RoleField } from "./role-fields";

/** The page that shows the members of a project or a group. */
export function MembersPage({
  resource,
  held,
  pager,
  search,
  url,
  invitations,
  mailIsOn,
  ...list
}: Awaited<ReturnType<typeof loadMembers>>) {
  return (
    <StaticMarkup>
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
      {invitations === null || held === null ? null : (
        <>
          <InviteForm action={inviteMember} about={aboutInvitations(mailIsOn)}>
            <input type="hidden" name="kind" value={resource.kind} />
            <input type="hidden" name="place" value={resource.id} />
            <RoleField id="invite-role" held={held} chosen="developer" />
            <ExpiryField id="invite-expires" day="" />
          </InviteForm>
          {invitations.length === 0 ? null : (
            <InvitationList
              invitations={invitations}
              fields={{ kind: resource.kind, place: resource.id }}
              resend={resendInvitationOfMember}
              revoke={revokeInvitationOfMember}
              now={list.now}
            />
          )}
        </>
      )}
      <SearchForm action={url} label="Find a member" search={search} />
      <MemberList resource={resource} held={held} {...list} />
      <Pager {...pager} />
    </StaticMarkup>
  );
}
