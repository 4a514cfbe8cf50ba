import type { Metadata } from "next";
import { GRACE_DAYS } from "@/identity/users/account-deletion";
import { ImpactList } from "@/operations/administration/components/user-states";
import { deleteOwnAccount } from "@/operations/own-account/actions";
import { loadOwnDeletion } from "@/operations/own-account/loaders";
import { Button, ButtonLink } from "@/ui/button";
import { Card } from "@/ui/card";
import { Field, SelectField } from "@/ui/field";
import { Notice } from "@/ui/notice";
import { PageHead } from "@/ui/page-shell";
import { Trail } from "@/ui/trail";

export const metadata: Metadata = { title: "Delete account" };

export default async function DeleteAccountPage() {
  const { username, impact, groups } = await loadOwnDeletion();
  const isSoleOwner = impact.soleOwnedGroups.length > 0;
  return (
    <>
      <Trail steps={[{ label: "Profile", href: "/user_settings/profile" }]} />
      <PageHead title="Delete account" about={`Your account is deleted after ${GRACE_DAYS} days.`} />
      <Card
        title="Effects of the deletion"
        about={`You are signed out everywhere immediately, and your tokens stop working. For ${GRACE_DAYS} days, you can still sign in to keep your account.`}
      >
        <p>
          After {GRACE_DAYS} days, your account is deleted with its tokens, memberships, applications and
          personal projects, unless you transfer the projects. Your merge requests, approvals and pushes in
          other projects stay, under the name Ghost User. The audit trail keeps your username.
        </p>
        <ImpactList impact={impact} />
      </Card>
      {isSoleOwner ? (
        <Notice kind="problem">
          You are the only active owner of the listed groups. Make another user an owner, or delete the groups
          first.
        </Notice>
      ) : (
        <Card danger title="Confirm the deletion">
          <form action={deleteOwnAccount} className="grid gap-4">
            {impact.projects.total === 0 || groups.length === 0 ? null : (
              <SelectField
                id="transfer_to"
                name="transfer_to"
                label="Personal projects"
                hint="A transfer takes effect immediately, and is not undone if you keep your account."
              >
                <option value="">Delete the projects</option>
                {groups.map(({ id, fullPath }) => (
                  <option key={id} value={id}>
                    Transfer to {fullPath}
                  </option>
                ))}
              </SelectField>
            )}
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
