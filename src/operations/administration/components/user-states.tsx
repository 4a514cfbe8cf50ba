import type { ReactNode } from "react";
import { DORMANT_DAYS } from "@/identity/users/account-states";
import type { ListedUser } from "@/identity/users/administration";
import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { ChoiceGroup, ChoiceRow } from "@/ui/choice";
import { Confirm } from "@/ui/confirm";
import { Field } from "@/ui/field";
import { activateUser, approveUser, deactivateUser, deleteUser, rejectUser } from "../actions";
import type { DeletionImpact } from "../deletion-impact";
import { Act } from "./act";
import { USER_SECTIONS } from "./user-sections";

/** Shows a pending registration, with the buttons that approve or reject it. */
export function Approval({ user: { id, username } }: { readonly user: ListedUser }) {
  return (
    <Card
      id={USER_SECTIONS.registration.id}
      title={USER_SECTIONS.registration.label}
      about="This user has registered, but can sign in only after you approve the registration. The user gets an e-mail after your decision."
      action={
        <>
          <Act action={approveUser} id={id} kind="primary">
            Approve
          </Act>
          <Confirm
            id="reject"
            summary="Reject"
            title={`Reject the registration of ${username}?`}
            question="The account is deleted. The username and the e-mail address can be registered again."
          >
            <Act action={rejectUser} id={id} kind="danger">
              Reject and delete {username}
            </Act>
          </Confirm>
        </>
      }
    />
  );
}

/**
 * Shows the buttons that deactivate or activate a user. Deactivation is for users who no longer use the
 * instance. Blocking is for users who must not use the instance.
 */
export function Activity({ user: { id, username, state } }: { readonly user: ListedUser }) {
  if (state === "deactivated")
    return (
      <Card
        id={USER_SECTIONS.activity.id}
        title="Deactivated"
        about="The tokens of this user do not work until the user signs in, or until you activate the user."
        action={
          <Act action={activateUser} id={id} kind="plain">
            Activate
          </Act>
        }
      />
    );
  if (state !== "active") return null;
  return (
    <Card
      id={USER_SECTIONS.activity.id}
      title={USER_SECTIONS.activity.label}
      about={`You can deactivate users who have not signed in for ${DORMANT_DAYS} days. The sessions of a deactivated user end, and the tokens of the user stop working. A deactivated user becomes active again by signing in.`}
      action={
        <Confirm
          id="deactivate"
          kind="plain"
          summary="Deactivate"
          title={`Deactivate ${username}?`}
          question="Nothing is deleted. The user becomes active again by signing in."
        >
          <Act action={deactivateUser} id={id} kind="plain">
            Deactivate {username}
          </Act>
        </Confirm>
      }
    />
  );
}

/** The form that deletes a user. The administrator enters the username, so that no other user is deleted by mistake. */
export function Deletion(props: { readonly user: ListedUser; readonly impact: DeletionImpact }) {
  const { user, impact } = props;
  if (impact.deletion?.isRunning)
    return (
      <Card
        id={USER_SECTIONS.deletion.id}
        title="Deletion"
        about="This user is being deleted. A user with many projects is deleted in several steps."
      />
    );
  return (
    <Card
      id={USER_SECTIONS.deletion.id}
      danger
      title={USER_SECTIONS.deletion.label}
      about="The account is deleted with its tokens, memberships, applications and personal projects. Personal projects can be transferred instead. Merge requests, approvals and pushes in other projects are reassigned to the ghost user. The audit trail keeps the username. You cannot undo the deletion."
    >
      {impact.deletion === null ? null : (
        <p className="text-small">
          The user asked to delete the account. The account will be deleted on {dayOf(impact.deletion.dueAt)},
          unless you activate the user or the user cancels the deletion.
        </p>
      )}
      <ImpactList impact={impact} />
      <form action={deleteUser} className="grid gap-4">
        <input type="hidden" name="id" value={user.id} />
        <ChoiceGroup id="delete-contributions" legend="Contributions">
          <ChoiceRow
            id="delete-hard"
            type="checkbox"
            name="hard"
            value="true"
            label="Delete contributions, too"
            detail="Merge requests of the user, and groups that have no other owner, are also deleted."
          />
        </ChoiceGroup>
        {impact.projects.total === 0 ? null : (
          <Field
            id="delete-transfer"
            name="transfer_to"
            label="Transfer the personal projects to"
            hint="The path of a group, or a username. Leave the field empty to delete the projects."
            maxLength={1_000}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
        <Field
          id="delete-username"
          name="username"
          label={`Enter ${user.username} to confirm`}
          maxLength={64}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <div>
          <Button kind="danger">Delete this user</Button>
        </div>
      </form>
    </Card>
  );
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/**
 * Lists the projects and applications that will be deleted with a user, and the groups that prevent the
 * deletion.
 */
export function ImpactList({ impact }: { readonly impact: DeletionImpact }) {
  const { projects, applications, soleOwnedGroups } = impact;
  // If there is nothing to list, nothing is rendered, because an empty list would still occupy the gap of the
  // card.
  if (projects.total + applications.total + soleOwnedGroups.length === 0) return null;
  return (
    <div className="grid gap-3 text-small">
      <Listed
        about={`Personal projects that are deleted, unless they are transferred: ${projects.total}`}
        of={projects}
      />
      <Listed
        about={`Applications that are deleted for all users: ${applications.total}. The owner can transfer the applications to a group first.`}
        of={applications}
      />
      <Listed
        about="Groups without another active owner:"
        of={{ names: soleOwnedGroups.map(({ fullPath }) => fullPath), total: soleOwnedGroups.length }}
      />
    </div>
  );
}

function Listed(props: { readonly about: ReactNode; readonly of: DeletionImpact["projects"] }) {
  const { names, total } = props.of;
  if (total === 0) return null;
  const more = total - names.length;
  return (
    <div className="grid gap-1">
      <p>{props.about}</p>
      <ul className="list-disc pl-5">
        {names.map((name) => (
          <li key={name} className="wrap-anywhere">
            <bdi>{name}</bdi>
          </li>
        ))}
        {more === 0 ? null : <li>and {more} more</li>}
      </ul>
    </div>
  );
}
