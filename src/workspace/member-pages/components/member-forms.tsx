import type { Role } from "@/access/roles";
import { Button } from "@/ui/button";
import { Confirm } from "@/ui/confirm";
import type { Membership, ProjectOrGroup } from "../../members/rules";
import { changeMember, removeMember } from "../actions";
import { ExpiryField, RoleField } from "./role-fields";

type MemberReference = Readonly<{ resource: ProjectOrGroup; user: Membership["user"] }>;

const Hidden = ({ resource, user }: MemberReference) => (
  <>
    <input type="hidden" name="kind" value={resource.kind} />
    <input type="hidden" name="place" value={resource.id} />
    <input type="hidden" name="user_id" value={user.id} />
  </>
);

/**
 * The form that changes the role and the expiry date of a member. The attribute `form` links each field to
 * the form that contains the button.
 */
export function ChangeMember(
  props: MemberReference & { readonly held: Role; readonly own: NonNullable<Membership["own"]> },
) {
  const { resource, user, held, own } = props;
  const form = `change-form-${user.id}`;
  return (
    <Confirm
      id={`change-${user.id}`}
      kind="plain"
      size="small"
      summary="Edit"
      title={`Edit @${user.username}`}
      question={
        <div className="grid gap-4 text-ink">
          <RoleField id={`role-${user.id}`} form={form} held={held} chosen={own.role} />
          <ExpiryField
            id={`ends-${user.id}`}
            form={form}
            day={own.expiresAt === null ? "" : own.expiresAt.toISOString().slice(0, 10)}
          />
        </div>
      }
    >
      <form id={form} action={changeMember}>
        <Hidden resource={resource} user={user} />
        <Button kind="primary">Save</Button>
      </form>
    </Confirm>
  );
}

/**
 * The form that removes a member. If the membership is the viewer's own, the form removes the viewer from the
 * project or group.
 */
export function RemoveMember({ resource, user, isSelf }: MemberReference & { readonly isSelf: boolean }) {
  return (
    <Confirm
      id={`remove-${user.id}`}
      size="small"
      summary={isSelf ? "Leave" : "Remove"}
      title={isSelf ? `Leave ${resource.fullPath}?` : `Remove @${user.username}?`}
      question={
        isSelf
          ? "You lose the permissions of your role. You can return only if another member adds you again."
          : `@${user.username} loses the permissions of this role immediately. Inherited memberships remain.`
      }
    >
      <form action={removeMember}>
        <Hidden resource={resource} user={user} />
        <Button kind="danger">{isSelf ? `Leave this ${resource.kind}` : "Remove this member"}</Button>
      </form>
    </Confirm>
  );
}
