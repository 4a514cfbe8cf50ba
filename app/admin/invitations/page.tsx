import type { Metadata } from "next";
import { inviteUser, resendUserInvitation, revokeUserInvitation } from "@/operations/invitations/actions";
import { loadInvitations } from "@/operations/invitations/loaders";
import { ButtonLink } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { PageHead } from "@/ui/page-shell";
import { Trail } from "@/ui/trail";
import { InvitationList } from "@/workspace/invitations/components/invitation-list";
import { InviteForm } from "@/workspace/invitations/components/invite-form";
import { aboutInvitations } from "@/workspace/invitations/labels";

export const metadata: Metadata = { title: "Invitations" };

export default async function InvitationsPage() {
  const { invitations, held, mailIsOn, now } = await loadInvitations();
  return (
    <>
      <Trail steps={[{ label: "Users", href: "/admin/users" }]} />
      <PageHead
        title="Invitations"
        about="People who are invited to this instance by e-mail."
        action={<ButtonLink href="/admin/users">All users</ButtonLink>}
      />
      <InviteForm action={inviteUser} about={aboutInvitations(mailIsOn)} held={held} />
      {invitations.length === 0 ? (
        <EmptyState title="No pending invitations">
          Invitations are listed here until they are accepted or revoked.
        </EmptyState>
      ) : (
        <InvitationList
          invitations={invitations}
          fields={{}}
          resend={resendUserInvitation}
          revoke={revokeUserInvitation}
          now={now}
        />
      )}
    </>
  );
}
