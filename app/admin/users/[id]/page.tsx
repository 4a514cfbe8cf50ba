import type { Metadata } from "next";
import { confirmedEmail, isBot } from "@/access/principal";
import { UserAvatar } from "@/identity/users/components/user-avatar";
import { changeUserEmail, resetUserPassword } from "@/operations/administration/actions";
import { EmailForm, PasswordForm } from "@/operations/administration/components/account-forms";
import { UserActivityCards } from "@/operations/administration/components/user-activity";
import { UserDetails } from "@/operations/administration/components/user-details";
import { USER_SECTIONS, userSections } from "@/operations/administration/components/user-sections";
import { Deletion } from "@/operations/administration/components/user-states";
import { loadUser } from "@/operations/administration/loaders";
import { ButtonLink } from "@/ui/button";
import { Card } from "@/ui/card";
import { PageHead } from "@/ui/page-shell";
import { SectionNav } from "@/ui/section-nav";
import { StaticMarkup } from "@/ui/static-markup";

export const metadata: Metadata = { title: "User" };

export default async function UserPage({ params }: { readonly params: Promise<{ readonly id: string }> }) {
  const { user, dependent, impact, activity, self, heldEmail, holdsPassword, now } = await loadUser(
    (await params).id,
  );
  return (
    <StaticMarkup>
      <PageHead title={user.name} avatar={<UserAvatar user={user} size="large" />} />
      <SectionNav sections={userSections({ user, impact, self })} />
      <UserDetails user={user} dependent={dependent} impact={impact} self={self} now={now}>
        <EmailForm
          key={user.email}
          id={user.id}
          email={confirmedEmail(user)}
          held={heldEmail}
          action={changeUserEmail}
        />
        {self ? null : (
          <PasswordForm
            id={user.id}
            username={user.username}
            discarded={holdsPassword}
            action={resetUserPassword}
          />
        )}
      </UserDetails>
      <UserActivityCards user={user} activity={activity} now={now} />
      {isBot(user) || impact.deletion?.isRunning ? null : (
        <Card
          id={USER_SECTIONS.impersonation.id}
          title={USER_SECTIONS.impersonation.label}
          about="Tokens with which administrators act for this user in the API."
          action={<ButtonLink href={`/admin/users/${user.id}/impersonation_tokens`}>Show tokens</ButtonLink>}
        />
      )}
      {self || impact.deletion?.isRunning ? null : <Deletion user={user} impact={impact} />}
    </StaticMarkup>
  );
}
