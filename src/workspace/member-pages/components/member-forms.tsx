import type { Role } from "@/access/roles";
import { Button } from "@/ui/button";
import { Confirm } from "@/ui/confirm";
import type { Membership, Place } from "../../members/rules";
import { changeMember, removeMember } from "../actions";
import { EndField, RoleField } from "./role-fields";

type Who = Readonly<{ place: Place; user: Membership["user"] }>;

const Hidden = ({ place, user }: Who) => (
  <>
    <input type="hidden" name="kind" value={place.kind} />
    <input type="hidden" name="place" value={place.id} />
    <input type="hidden" name="user_id" value={user.id} />
  </>
);

/** Another role or another end; the fields belong to the form that stands beside the button. */
export function ChangeMember(
  props: Who & { readonly held: Role; readonly own: NonNullable<Membership["own"]> },
) {
  const { place, user, held, own } = props;
  const form = `change-form-${user.id}`;
  return (
    <Confirm
      id={`change-${user.id}`}
      kind="plain"
      size="small"
      summary="Change"
      title={`Change @${user.username}`}
      question={
        <div className="grid gap-4 text-ink">
          <RoleField id={`role-${user.id}`} form={form} held={held} chosen={own.role} />
          <EndField
            id={`ends-${user.id}`}
            form={form}
            day={own.expiresAt === null ? "" : own.expiresAt.toISOString().slice(0, 10)}
          />
        </div>
      }
    >
      <form id={form} action={changeMember}>
        <Hidden place={place} user={user} />
        <Button kind="primary">Save</Button>
      </form>
    </Confirm>
  );
}

/** Takes a membership away, or one's own. */
export function RemoveMember({ place, user, isSelf }: Who & { readonly isSelf: boolean }) {
  return (
    <Confirm
      id={`remove-${user.id}`}
      size="small"
      summary={isSelf ? "Leave" : "Remove"}
      title={isSelf ? `Leave ${place.fullPath}?` : `Remove @${user.username}?`}
      question={
        isSelf
          ? "You lose what your role lets you do here. Somebody has to add you again if you want to come back."
          : `@${user.username} loses what this role lets them do, at once. What they inherit from a group stays.`
      }
    >
      <form action={removeMember}>
        <Hidden place={place} user={user} />
        <Button kind="danger">{isSelf ? `Leave this ${place.kind}` : "Remove this member"}</Button>
      </form>
    </Confirm>
  );
}
