import type { Metadata } from "next";
import { confirmedEmail } from "@/access/principal";
import {
  cancelEmail,
  deleteAvatar,
  resendEmail,
  saveEmail,
  savePassword,
  saveProfile,
  uploadAvatar,
} from "@/identity/profile/actions";
import { AvatarForm } from "@/identity/profile/components/avatar-form";
import { PendingEmail } from "@/identity/profile/components/pending-email";
import { EmailForm, PasswordForm, ProfileForm } from "@/identity/profile/components/profile-forms";
import { loadProfile } from "@/identity/profile/loaders";
import { unlinkAccount } from "@/identity/provider-sign-in/actions";
import {
  LinkedAccountsCard,
  linkedAccountsSections,
} from "@/identity/provider-sign-in/components/linked-accounts";
import { GRACE_DAYS } from "@/identity/users/account-deletion";
import { exportCsrfToken } from "@/operations/own-account/loaders";
import { Button, ButtonLink } from "@/ui/button";
import { Card, Fact, Facts } from "@/ui/card";
import { PageHead } from "@/ui/page-shell";
import { SectionNav } from "@/ui/section-nav";
import { StaticMarkup } from "@/ui/static-markup";
import { Ago } from "@/ui/time";

export const metadata: Metadata = { title: "Profile" };

const FIRST_SECTIONS = [
  { id: "section-avatar", label: "Avatar" },
  { id: "section-profile", label: "Your profile" },
  { id: "section-e-mail", label: "E-mail address" },
];

const LAST_SECTIONS = [
  { id: "section-password", label: "Password" },
  { id: "section-data", label: "Your data" },
  { id: "section-deletion", label: "Delete account" },
];

export default async function ProfilePage() {
  const { user, pendingEmail, hasPassword, linked, passwordCharactersMin, now, ...email } =
    await loadProfile();
  const exportToken = await exportCsrfToken("/user_settings/profile");
  // The page contains only the following columns of the user.
  const { id, username, name, avatarDigest } = user;
  const avatarOwner = { id, username, name, avatarDigest };
  return (
    <StaticMarkup>
      <PageHead title="Profile" about="Your name, e-mail address and password." />
      <SectionNav sections={[...FIRST_SECTIONS, ...linkedAccountsSections(linked), ...LAST_SECTIONS]} />
      <Facts>
        <Fact name="Username">@{user.username}</Fact>
        <Fact name="E-mail address">{confirmedEmail(user) ?? "Not confirmed yet"}</Fact>
        <Fact name="Member since">
          <Ago at={user.createdAt} now={now} />
        </Fact>
      </Facts>
      <AvatarForm user={avatarOwner} upload={uploadAvatar} remove={deleteAvatar} />
      <Card id="section-profile" title="Your profile">
        <ProfileForm action={saveProfile} name={user.name} privateProfile={user.privateProfile} />
      </Card>
      <Card
        id="section-e-mail"
        title="E-mail address"
        about={
          email.emailChangesAllowed
            ? `${email.confirmsByLink ? "You must confirm a new e-mail address with a link." : "An administrator must confirm a new e-mail address."} Until the confirmation, you sign in with the current e-mail address, and applications receive the current e-mail address.`
            : "Only an administrator can change your e-mail address."
        }
      >
        {pendingEmail === null ? null : (
          <PendingEmail
            action={user.emailVerified ? cancelEmail : null}
            resend={email.confirmsByLink ? resendEmail : null}
            pending={pendingEmail}
            now={now}
          />
        )}
        {email.emailChangesAllowed ? <EmailForm action={saveEmail} hasPassword={hasPassword} /> : null}
      </Card>
      <LinkedAccountsCard linked={linked} unlink={unlinkAccount} now={now} />
      <Card
        id="section-password"
        title="Password"
        about={
          hasPassword
            ? "By default, a new password signs you out everywhere else and revokes your tokens."
            : "You have no password, because you sign in with a linked account. If you set a password, you can also sign in without the linked account."
        }
      >
        <PasswordForm
          action={savePassword}
          username={user.username}
          hasPassword={hasPassword}
          charactersMin={passwordCharactersMin}
        />
      </Card>
      <Card
        id="section-data"
        title="Your data"
        about="Your profile, sessions, memberships, applications, grants, tokens and audit events as a JSON file. The file contains no secrets."
        action={
          <form method="post" action="/user_settings/export">
            <input type="hidden" name="form_token" value={exportToken} />
            <Button>Download your data</Button>
          </form>
        }
      />
      <Card
        id="section-deletion"
        danger
        title="Delete account"
        about={`Your account is deleted after ${GRACE_DAYS} days. Until then, you can sign in to keep your account.`}
        action={
          <ButtonLink kind="danger" href="/user_settings/delete_account">
            Delete account…
          </ButtonLink>
        }
      />
    </StaticMarkup>
  );
}
