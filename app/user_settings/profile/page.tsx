import type { Metadata } from "next";
import { confirmedEmail } from "@/access/principal";
import { cancelEmail, saveEmail, savePassword, saveProfile } from "@/identity/profile/actions";
import { PendingEmail } from "@/identity/profile/components/pending-email";
import { EmailForm, PasswordForm, ProfileForm } from "@/identity/profile/components/profile-forms";
import { loadProfile } from "@/identity/profile/loaders";
import { Card, Fact, Facts } from "@/ui/card";
import { PageHead } from "@/ui/page-shell";
import { Ago } from "@/ui/time";

export const metadata: Metadata = { title: "Profile" };

export default async function ProfilePage() {
  const { user, privateProfile, pendingEmail, emailChangesAllowed, passwordCharactersMin, now } =
    await loadProfile();
  return (
    <>
      <PageHead title="Profile" about="Who you are here, and how you prove it." />
      <Facts>
        <Fact name="Username">@{user.username}</Fact>
        <Fact name="E-mail address">{confirmedEmail(user) ?? "No confirmed address yet"}</Fact>
        <Fact name="Member since">
          <Ago at={user.createdAt} now={now} />
        </Fact>
      </Facts>
      <Card title="Your profile">
        <ProfileForm action={saveProfile} name={user.name} privateProfile={privateProfile} />
      </Card>
      <Card
        title="E-mail address"
        about={
          emailChangesAllowed
            ? "An administrator confirms a new address. Until then, applications get the address that is confirmed now, and you sign in with that."
            : "Only an administrator can change your address."
        }
      >
        {pendingEmail === null ? null : (
          <PendingEmail action={cancelEmail} pending={pendingEmail} now={now} />
        )}
        {emailChangesAllowed ? <EmailForm action={saveEmail} /> : null}
      </Card>
      <Card
        title="Password"
        about="A new password signs you out everywhere else and revokes your tokens, unless you choose otherwise."
      >
        <PasswordForm action={savePassword} username={user.username} charactersMin={passwordCharactersMin} />
      </Card>
    </>
  );
}
