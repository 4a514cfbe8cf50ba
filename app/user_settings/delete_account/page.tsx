import type { Metadata } from "next";
import { GRACE_DAYS } from "@/identity/users/account-deletion";
import { ImpactList } from "@/operations/administration/components/user-states";
import { deleteOwnAccount } from "@/operations/own-account/actions";
import { loadOwnDeletion } from "@/operations/own-account/loaders";
import { Button, ButtonLink } from "@/ui/button";
import { Card } from "@/ui/card";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";
import { PageHead } from "@/ui/page-shell";

export const metadata: Metadata = { title: "Delete account" };

export default async function DeleteAccountPage() {
  const { username, impact } = await loadOwnDeletion();
  const isSoleOwner = impact.soleOwnedGroups.length > 0;
  return (
    <>
      <PageHead title="Delete account" about={`Your account is deleted after ${GRACE_DAYS} days.`} />
      <Card
        title="Consequences"
        about={`You are signed out everywhere immediately, and your tokens stop working. For ${GRACE_DAYS} days, you can sign in and keep your account.`}
      >
        <p>
          After that, your account is deleted with its tokens, memberships, applications and personal
          projects. Your merge requests, approvals and pushes in other projects stay, under the name Ghost
          User. The audit trail keeps your username.
        </p>
        <ImpactList impact={impact} />
      </Card>
      {isSoleOwner ? (
        <Notice kind="problem">
          You are the only owner of the groups above. Make another user an owner, or delete the groups first.
        </Notice>
      ) : (
        <Card title="Confirm the deletion">
          <form action={deleteOwnAccount} className="grid gap-4">
            <Field
              id="username"
              name="username"
              label={`Enter ${username} to confirm`}
              maxLength={64}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              required
            />
            <div className="flex flex-wrap gap-3">
              <Button kind="danger">Delete my account</Button>
              <ButtonLink href="/user_settings/profile">Cancel</ButtonLink>
            </div>
          </form>
        </Card>
      )}
    </>
  );
}
