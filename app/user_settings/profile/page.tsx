import type { Metadata } from "next";
import { saveEmail, savePassword, saveProfile } from "@/features/profile/actions";
import { EmailForm, PasswordForm, ProfileForm } from "@/features/profile/components/profile-forms";
import { loadProfile } from "@/features/profile/loaders";
import { PASSWORD_CHARACTERS_MIN } from "@/features/users/rules";
import { Badge } from "@/ui/badge";
import { Card, Fact, Facts } from "@/ui/card";
import { PageHead } from "@/ui/page-shell";
import { Ago } from "@/ui/time";

export const metadata: Metadata = { title: "Profile" };

export default async function ProfilePage() {
  const { user, privateProfile, now } = await loadProfile();
  return (
    <>
      <PageHead title="Profile" about="Who you are here, and how you prove it." />
      <Facts>
        <Fact name="Username">@{user.username}</Fact>
        <Fact name="E-mail address">
          {user.email} <Badge>{user.emailVerified ? "confirmed" : "not confirmed"}</Badge>
        </Fact>
        <Fact name="Member since">
          <Ago at={user.createdAt} now={now} />
        </Fact>
      </Facts>
      <Card title="Your profile">
        <ProfileForm action={saveProfile} name={user.name} privateProfile={privateProfile} />
      </Card>
      <Card title="E-mail address" about="A new address is not confirmed: applications are told so.">
        <EmailForm action={saveEmail} email={user.email} />
      </Card>
      <Card title="Password" about="Changing it signs you out everywhere else.">
        <PasswordForm
          action={savePassword}
          username={user.username}
          charactersMin={PASSWORD_CHARACTERS_MIN}
        />
      </Card>
    </>
  );
}
